import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { referenceFor } from "../../reference/testing/reference.ts";
import { reportIn, warmCommands } from "../cli/program.ts";
import { nginx } from "./nginx.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const apiKey = "key-of-the-api-0123";
const command = warmCommands(apiKey);
const { key, cert, ca } = await makeCertificate();
const tls = { "server.pem": cert, "server.key": key };

/** What is special about each gateway: its requests, its http block, and the prefix of its paths. */
const gateways = [
  [
    "few requests a connection and a rate limit that answers 503",
    "limit_req zone=z burst=5 nodelay;",
    "limit_req_zone $server_name zone=z:1m rate=40r/s; keepalive_timeout 1s; keepalive_requests 5;",
    "",
  ],
  [
    "gzip, no buffering, HTTP/1.1 to the server and a path prefix",
    'proxy_buffering off; proxy_request_buffering off; proxy_http_version 1.1; proxy_set_header Connection "";',
    "gzip on; gzip_types application/json; gzip_min_length 1; gzip_proxied any;",
    "/gateway/fx",
  ],
] as const;

test.each(gateways)(
  "a full run is clean behind nginx with %s",
  { timeout: 240_000, tags: "nginx" },
  async (_, words, http, prefix) => {
    const reference = await referenceFor({ apiKey, customerId: "c1" });
    const server = `location ${prefix}/ { ${words} proxy_pass http://127.0.0.1:${reference.port}/; }`;
    const port = await nginx({ server, http }, tls);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "ca.pem"), ca);
    const baseUrl = `https://localhost:${port}${prefix}`;
    const target = ["--base-url", baseUrl, "--ca", "ca.pem", "--customer-id", "c1", "--other-purposes", "IMPORT"];
    const { code, stdout, stderr } = await command(["run", ...target, "--runs", "4", "--reports", "json"], folder);
    expect(code, stdout + stderr).toBe(0);
    expect(reportIn(folder), stdout).toMatchObject({ outcome: "conformant", warnings: [] });
  },
);
