import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { generate } from "selfsigned";
import { expect, test, vi } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { warmCommands } from "../cli/program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { listening } from "../../model/testing/listening.ts";

vi.setConfig({ testTimeout: 240_000 });

const perform = warmCommands("key-of-the-api-0123");
const own = await makeCertificate();
const day = 86_400_000;

interface Pair {
  readonly key: string;
  readonly cert: string;
}

/**
 * Issues a client certificate that is valid in this range of days from today. It is self-signed if
 * there is no authority.
 */
async function issued(
  name: string,
  authority?: Pair,
  [from, to]: readonly [number, number] = [-1, 30],
): Promise<Pair> {
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() + from * day),
    notAfterDate: new Date(Date.now() + to * day),
    ...(authority
      ? { ca: authority }
      : { extensions: [{ name: "basicConstraints", cA: true, critical: true }] }),
  });
  return { key, cert };
}

const authority = await issued("Authority of the clients");
const client = await issued("client", authority);
const expired = await issued("expired", authority, [-60, -30]);
const stranger = await issued("stranger");

/** Starts a server that demands a client certificate. */
async function demanding(how: object): Promise<string> {
  const options = {
    ...own,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: true,
    ...how,
  };
  const server = createServer(options, ({ url }, response) => {
    const answer = url === "/auth/token" ? { token: "token-0123456789" } : { batches: [] };
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(answer));
  });
  return `https://localhost:${await listening(server)}`;
}

/** Runs a command against a server, in a folder with the certificates. */
async function onServer(how: object) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "ca.pem"), own.ca);
  for (const [name, { key, cert }] of Object.entries({ client, expired, stranger })) {
    writeFileSync(join(folder, `${name}.pem`), cert);
    writeFileSync(join(folder, `${name}.key`), key, { mode: 0o600 });
  }
  const words = [
    "--base-url",
    await demanding(how),
    "--profile",
    "smoke",
    "--ca",
    "ca.pem",
    "--timeout",
    "5s",
  ];
  const run = (command: string, ...more: readonly string[]) =>
    perform([command, ...words, ...more], folder);
  return { folder, run };
}

const pair = (name: string): readonly string[] => ["--cert", `${name}.pem`, "--key", `${name}.key`];

test.each([
  [
    "an alert of TLS 1.3",
    { minVersion: "TLSv1.3" },
    "the server asks for a client certificate, and none was sent",
  ],
  [
    "a failed handshake",
    { maxVersion: "TLSv1.2" },
    "the server ended the TLS handshake with the alert handshake_failure",
  ],
])(
  "a client certificate that is missing, expired, refused or good, where the server refuses with %s",
  async (_, how, missing) => {
    const { run } = await onServer(how);
    const without = await run("run");
    expect(without.code, without.stdout).toBe(3);
    expect(without.stdout + without.stderr).toContain(missing);
    expect(without.stdout).toMatch(/(?:[Gg]ive one with --cert and --key\.|\(--cert and --key\))/);
    for (const [name, said] of [
      [
        "expired",
        /✗ TLS +the client certificate of CN=expired, which expired on \d{4}-\d\d-\d\d, was sent/,
      ],
      ["stranger", /✗ TLS +the client certificate of CN=stranger was sent/],
    ] as const) {
      const { code, stdout } = await run("doctor", ...pair(name));
      expect(code, stdout).toBe(3);
      expect(stdout).toMatch(said);
    }
    const good = await run("doctor", ...pair("client"));
    expect(good.code, good.stdout + good.stderr).toBe(0);
  },
);

test("a run shows the client certificate", async () => {
  const { folder, run } = await onServer({});
  await run("run", ...pair("client"));
  const report = readFileSync(join(folder, "fxconform-report", "report.json"), "utf8");
  expect(report).toContain('"subject": "CN=client"');
});
