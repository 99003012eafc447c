import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { makeCertificate } from "../../reference/certificate.ts";
import { referenceFor } from "../../reference/testing/reference.ts";
import { bin } from "../cli/program.ts";
import { executed } from "../execution.ts";

const credentials = { apiKey: "key-of-the-sockets", customerId: "c1" };

/** Is loaded into each thread before anything else, and notes what is opened. */
const recorder = `
const { appendFileSync } = require("node:fs");
const watch = (object, name, textOf) => {
  const original = object[name];
  object[name] = function (...all) {
    appendFileSync(process.env.OPENED, name + " " + textOf(all) + "\\n");
    return original.apply(this, all);
  };
};
const optionsOf = ([first]) => (Array.isArray(first) ? first[0] : first);
const net = require("node:net");
watch(net.Socket.prototype, "connect", (all) => {
  const { path, host, port } = optionsOf(all);
  return path ?? host + ":" + port;
});
watch(net.Server.prototype, "listen", (all) => JSON.stringify(optionsOf(all)));
watch(require("node:dgram"), "createSocket", String);
const dns = require("node:dns");
for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) watch(dns, name, ([host]) => host);
for (const name of ["spawn", "spawnSync", "fork"])
  watch(require("node:child_process"), name, ([first]) => first);
`;

/** What a command opens: a line for each kind and place. Also makes sure that the command ends well. */
async function openedBy(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "recorder.cjs"), recorder);
  writeFileSync(join(folder, "opened"), "");
  const { PATH = "" } = process.env;
  const { code, stderr } = await executed(process.execPath, [bin, ...words], {
    cwd: folder,
    env: {
      PATH,
      NODE_OPTIONS: `--require ${join(folder, "recorder.cjs")}`,
      OPENED: join(folder, "opened"),
      FXCONFORM_API_KEY: credentials.apiKey,
      ...env,
    },
    timeout: 100_000,
  });
  expect([0, 1], stderr).toContain(code);
  return [...new Set(readFileSync(join(folder, "opened"), "utf8").trim().split("\n"))];
}

test("a run connects to its target and opens nothing else", { timeout: 120_000 }, async () => {
  const { port } = await referenceFor(credentials);
  const address = ["--base-url", `http://127.0.0.1:${port}`];
  const few = [...address, "--customer-id", "c1", "--only", "AUTH-01,OPER-01", "--runs", "1"];
  expect(await openedBy(["run", ...few])).toEqual([`connect 127.0.0.1:${port}`]);
  expect(await openedBy(["doctor", ...address, "--profile", "smoke"])).toEqual([
    `connect 127.0.0.1:${port}`,
  ]);
});

test("with a proxy, it connects to the proxy alone", { timeout: 120_000 }, async () => {
  const { key, cert, ca } = await makeCertificate();
  const { port, baseUrl } = await referenceFor({ ...credentials, tls: { key, cert } });
  const authority = join(temporaryFolder(), "ca.pem");
  writeFileSync(authority, ca);
  const server = createServer();
  server.on("connect", (_, client) => {
    const onward: Socket = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) socket.on("error", () => onward.destroy());
  });
  const proxy = `127.0.0.1:${await listening(server)}`;
  const opened = await openedBy(
    ["run", "--base-url", baseUrl, "--ca", authority, "--profile", "smoke"],
    { FXCONFORM_PROXY: `http://${proxy}`, FXCONFORM_MAX_BAD_CREDENTIALS: "0" },
  );
  expect(opened).toEqual([`connect ${proxy}`]);
});

test("a command that reads files opens nothing", { timeout: 120_000 }, async () => {
  expect(await openedBy(["list"])).toEqual([""]);
  expect(await openedBy(["explain", "OPER-01"])).toEqual([""]);
});
