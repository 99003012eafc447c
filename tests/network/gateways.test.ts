import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { referenceFor } from "../../reference/testing/reference.ts";
import { reportIn, warmCommands } from "../cli/program.ts";
import { haproxy, nginx, type Program } from "./programs.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const apiKey = "key-of-the-api-0123";
const command = warmCommands(apiKey);
const { key, cert, ca } = await makeCertificate();
const tls = { "server.pem": cert, "server.key": key };

/** Starts a gateway in front of the reference server on that port, configured as operators do. */
type Gateway = (upstream: number) => Promise<Program>;

/** nginx with these directives for every request, and with others for the http block. */
const nginxWith =
  (words: string, http: string): Gateway =>
  (upstream) =>
    nginx({ server: `location / { ${words} proxy_pass http://127.0.0.1:${upstream}; }`, http }, tls);

const haproxyWith =
  (frontend: string): Gateway =>
  (upstream) =>
    haproxy({ upstream, frontend }, tls);

const gateways: readonly (readonly ["nginx" | "haproxy", Readonly<Record<string, Gateway>>])[] = [
  [
    "nginx",
    {
      "nginx with few requests a connection and a rate limit that answers 503": nginxWith(
        "limit_req zone=z burst=5 nodelay;",
        "limit_req_zone $server_name zone=z:1m rate=40r/s; keepalive_timeout 1s; keepalive_requests 5;",
      ),
      "nginx with gzip, no buffering and HTTP/1.1 to the server": nginxWith(
        'proxy_buffering off; proxy_request_buffering off; proxy_http_version 1.1; proxy_set_header Connection "";',
        "gzip on; gzip_types application/json; gzip_min_length 1; gzip_proxied any;",
      ),
    },
  ],
  [
    "haproxy",
    {
      "HAProxy with short keep-alive, compression and a path prefix": haproxyWith(`timeout http-keep-alive 500ms
    compression algo gzip
    compression type application/json
    http-request replace-path /gateway/fx/(.*) /\\1`),
    },
  ],
];

for (const [program, named] of gateways)
  test.each(Object.entries(named))(
    "a full run is clean behind %s",
    { timeout: 240_000, tags: program },
    async (name, gateway) => {
      const reference = await referenceFor({ apiKey, customerId: "c1" });
      const { port } = await gateway(reference.port);
      const folder = temporaryFolder();
      writeFileSync(join(folder, "ca.pem"), ca);
      const baseUrl = `https://localhost:${port}${name.includes("path prefix") ? "/gateway/fx" : ""}`;
      const target = ["--base-url", baseUrl, "--ca", "ca.pem", "--customer-id", "c1", "--other-purposes", "IMPORT"];
      const words = ["run", ...target, "--profile", "full", "--runs", "4", "--reports", "json"];
      const { code, stdout, stderr } = await command(words, folder);
      expect(code, stdout + stderr).toBe(0);
      expect(reportIn(folder), stdout).toMatchObject({ outcome: "conformant", warnings: [] });
    },
  );
