import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { warmCommands } from "../cli/program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { listening } from "../../model/testing/listening.ts";

const perform = warmCommands("key-of-the-api-0123");

test.each(["TLSv1.3", "TLSv1.2"] as const)(
  "a server that demands a client certificate gets it over %s, and the run shows it",
  { timeout: 240_000 },
  async (maxVersion) => {
    const { key, cert, ca } = await makeCertificate();
    const client = await generate([{ name: "commonName", value: "client" }], {
      extensions: [{ name: "basicConstraints", cA: true, critical: true }],
    });
    const demanding = { requestCert: true, rejectUnauthorized: true, ca: client.cert, maxVersion };
    const server = createServer({ key, cert, ...demanding }, ({ url }, response) => {
      const answer = url === "/auth/token" ? { token: "token-0123456789" } : { batches: [] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    const folder = temporaryFolder();
    const files = { "ca.pem": ca, "client.pem": client.cert, "client.key": client.private };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const address = `https://localhost:${await listening(server)}`;
    const words = `--base-url ${address} --profile smoke --ca ca.pem --cert client.pem --key client.key`;
    await perform(["run", ...words.split(" ")], folder);
    const report = readFileSync(join(folder, "fxconform-report", "report.json"), "utf8");
    expect(report).toContain('"subject": "CN=client"');
    expect(report).toMatch(/"id": "AUTH-01",[^}]*"verdict": "pass"/);
  },
);
