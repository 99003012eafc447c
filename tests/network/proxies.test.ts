import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { referenceFor } from "../../reference/testing/reference.ts";
import { inShell, reportIn, warmCommands } from "../cli/program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { listening } from "../../model/testing/listening.ts";

vi.setConfig({ testTimeout: 240_000 });

const apiKey = "key-of-the-api-0123";
const perform = warmCommands(apiKey);
const certificate = await makeCertificate();

/**
 * A reference server over TLS, and a folder with its `ca.pem`. `words` are the options that reach
 * the server.
 */
async function target() {
  const { key, cert, ca } = certificate;
  const reference = await referenceFor({ tls: { key, cert }, apiKey, customerId: "c1" });
  const folder = temporaryFolder();
  writeFileSync(join(folder, "ca.pem"), ca);
  const words = [
    "--base-url",
    reference.baseUrl,
    "--profile",
    "smoke",
    "--ca",
    "ca.pem",
    "--timeout",
    "5s",
  ];
  return { folder, words, port: reference.port };
}

/** A proxy with this handler for CONNECT. */
async function proxy(
  onConnect: (
    socket: Socket,
    to: { readonly host: string; readonly port: number },
    authorization?: string,
  ) => void,
): Promise<string> {
  const server = createServer();
  server.on("connect", ({ url = "", headers }, socket) => {
    const [host = "", port] = url.split(":");
    socket.on("error", () => socket.destroy());
    onConnect(socket as Socket, { host, port: Number(port) }, headers["proxy-authorization"]);
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

const agreed = "HTTP/1.1 200 Connection established\r\n\r\n";

test(
  "a smoke run goes through a proxy with credentials, and the report says so and holds none of them",
  { tags: "curl" },
  async () => {
    const { folder, words, port } = await target();
    const login = `Basic ${Buffer.from("me:pass.word-1").toString("base64")}`;
    const seen: number[] = [];
    const url = await proxy((socket, to, authorization) => {
      seen.push(to.port);
      if (authorization !== login)
        return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      const onward = connect(to.port, "127.0.0.1", () => socket.write(agreed));
      onward.on("error", () => socket.destroy());
      onward.pipe(socket).pipe(onward);
    });
    const flags = ["--proxy", url.replace("//", "//me:pass.word-1@")];
    const { code, stdout, stderr } = await perform(["run", ...words, ...flags], folder);
    expect(code, stdout + stderr).toBe(0);
    const report = reportIn(folder);
    expect(report.target.network).toEqual({ way: "proxy", proxy: { url, from: "--proxy" } });
    expect(report.requirements.find(({ id }) => id === "HTTP-07")?.verdict).toBe("inconclusive");
    expect(new Set(seen)).toEqual(new Set([port]));
    const kept = readdirSync(join(folder, "fxconform-report")).map((name) =>
      readFileSync(join(folder, "fxconform-report", name), "utf8"),
    );
    for (const text of [stdout, stderr, ...kept])
      expect(text).not.toMatch(/pass\.word-1|bWU6cGFzcy53b3JkLTE/);

    const line = `FXCONFORM_API_KEY=${apiKey}; PROXY_USER=me:pass.word-1; ${report.tokenCommand}; echo "got $TOKEN"`;
    expect((await inShell(line, folder)).stdout).toMatch(/got \S+/);
  },
);
