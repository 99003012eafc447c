import { createPrivateKey } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { generate } from "selfsigned";
import { expect, test, vi } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { referenceFor } from "../../reference/testing/reference.ts";
import { warmCommands } from "../cli/program.ts";
import type { SystemProgram } from "../../model/testing/system-programs.ts";
import { nginx } from "./nginx.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { listening } from "../../model/testing/listening.ts";

vi.setConfig({ testTimeout: 240_000 });

const apiKey = "key-of-the-api-0123";
const perform = warmCommands(apiKey);
const own = await makeCertificate();
const tls = { "server.pem": own.cert, "server.key": own.key };

const day = 86_400_000;

/** A client certificate, self-signed if there is no authority. */
const issued = async (
  name: string,
  authority?: { readonly key: string; readonly cert: string },
  days: readonly [number, number] = [-1, 30],
) => {
  const [from, to] = days.map((one) => new Date(Date.now() + one * day));
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    ...(from === undefined ? {} : { notBeforeDate: from }),
    ...(to === undefined ? {} : { notAfterDate: to }),
    ...(authority === undefined
      ? { extensions: [{ name: "basicConstraints", cA: true, critical: true }] }
      : { ca: authority }),
  });
  return { key, cert };
};

const authority = await issued("Authority of the clients");
const client = await issued("client", authority);
const expired = await issued("expired", authority, [-60, -30]);
const stranger = await issued("stranger");

/** Starts a server that requires a client certificate, and returns its port. */
type Demanding = () => Promise<number>;

const answer = (url: string | undefined): object =>
  url === "/auth/token" ? { token: "token-0123456789" } : { batches: [] };

const node =
  (versions: object): Demanding =>
  async () => {
    const demanding = { requestCert: true, rejectUnauthorized: true, ca: authority.cert, ...versions };
    const server = createServer({ key: own.key, cert: own.cert, ...demanding }, (request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(request.url)));
    });
    return listening(server);
  };

const upstream = async (): Promise<number> => {
  const reference = await referenceFor({ apiKey, customerId: "c1" });
  return reference.port;
};

const behindNginx: Demanding = async () => {
  const to = await upstream();
  const server = `ssl_client_certificate clients.pem; ssl_verify_client on; location / { proxy_pass http://127.0.0.1:${to}; }`;
  return nginx({ server }, { ...tls, "clients.pem": authority.cert });
};

/** How each program refuses a missing certificate: with a TLS alert, with a page, or ambiguously. */
const servers: readonly (readonly [name: string, Demanding, missing: string, program?: SystemProgram])[] = [
  ["Node with TLS 1.3", node({ minVersion: "TLSv1.3" }), "the server demands a client certificate, and none was sent"],
  ["Node with TLS 1.2", node({ maxVersion: "TLSv1.2" }), "the server probably demands a client certificate"],
  ["nginx", behindNginx, "the server demands a client certificate, and none was sent", "nginx"],
];

/** Runs a command against a server, in a folder with the certificates. */
const onServer = async (demanding: Demanding) => {
  const port = await demanding();
  const folder = filesIn(temporaryFolder());
  const words = ["--base-url", `https://localhost:${port}`, "--profile", "smoke", "--ca", "ca.pem", "--timeout", "5s"];
  return (command: string, ...more: readonly string[]) => perform([command, ...words, ...more], folder);
};

const filesIn = (folder: string): string => {
  const certificates = { client, expired, stranger };
  writeFileSync(join(folder, "ca.pem"), own.ca);
  for (const [name, { key, cert }] of Object.entries(certificates)) {
    writeFileSync(join(folder, `${name}.pem`), cert);
    writeFileSync(join(folder, `${name}.key`), key, { mode: 0o600 });
  }
  return folder;
};

const pair = (name: string): readonly string[] => ["--cert", `${name}.pem`, "--key", `${name}.key`];

for (const [name, demanding, missing, program] of servers)
  test(
    `${name}: a client certificate that is missing, expired, refused or good`,
    { tags: program === undefined ? [] : [program] },
    async () => {
      const run = await onServer(demanding);
      for (const command of ["doctor", "run"]) {
        const without = await run(command);
        expect(without.code, without.stdout).toBe(3);
        expect(without.stdout + without.stderr).toContain(missing);
        expect(without.stdout).toContain("Give one with --cert and --key.");
      }
      const old = await run("doctor", ...pair("expired"));
      expect(old.code, old.stdout).toBe(3);
      expect(old.stdout).toMatch(
        /✗ tls +the client certificate of CN=expired was refused: it expired on \d{4}-\d\d-\d\d/,
      );
      const strange = await run("doctor", ...pair("stranger"));
      expect(strange.code, strange.stdout).toBe(3);
      expect(strange.stdout).toMatch(/✗ tls +the server (probably )?refused the client certificate of CN=stranger/);
      const good = await run("doctor", ...pair("client"));
      expect(good.code, good.stdout + good.stderr).toBe(0);
    },
  );

test(
  "a run with an encrypted key shows the client certificate, and not the passphrase",
  { tags: "nginx" },
  async () => {
    const port = await behindNginx();
    const folder = filesIn(temporaryFolder());
    const cipher = { cipher: "aes-256-cbc", passphrase: "open-sesame" };
    const key = createPrivateKey(client.key).export({ type: "pkcs8", format: "pem", ...cipher });
    writeFileSync(join(folder, "whole.pem"), `${client.cert}\n${String(key)}`);
    writeFileSync(join(folder, "passphrase.txt"), "open-sesame\n");
    writeFileSync(join(folder, "wrong.txt"), "other-words\n");
    const words = ["run", "--base-url", `https://localhost:${port}`, "--profile", "smoke", "--ca", "ca.pem"];
    const run = (...more: readonly string[]) => perform([...words, "--cert", "whole.pem", ...more], folder);
    expect(await run()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("names an encrypted file") as string,
    });
    const wrong = await run("--passphrase-file", "wrong.txt");
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not open the key of --cert") as string,
    });
    const { code, stdout } = await run("--passphrase-file", "passphrase.txt");
    expect(code, stdout).toBe(0);
    const report = readFileSync(join(folder, "fxconform-report", "report.json"), "utf8");
    expect(report).toContain('"subject": "CN=client"');
    expect(report).not.toContain("open-sesame");
  },
);
