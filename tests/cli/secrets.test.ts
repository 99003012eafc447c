import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderers } from "../../reports/index.ts";
import { holdsSecret } from "../../reports/secrets.ts";
import { key, quick, reportIn, serving, warmCommands } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const command = warmCommands(key);

/** Expects all reports to exist, and no secret in them or in these texts. */
const expectNone = (secrets: readonly string[], texts: readonly string[], folder: string): void => {
  const reports = join(folder, "fxconform-report");
  const written = readdirSync(reports).map((name) => readFileSync(join(reports, name), "utf8"));
  expect(written).toHaveLength(Object.keys(renderers).length);
  for (const text of [...texts, ...written]) expect(holdsSecret(text, secrets)).toBe(false);
};

test("no report holds a key or token that a server echoes in some spelling", async () => {
  const folder = temporaryFolder();
  const token = "token/+0123456789=&";
  let answers = 0;
  const baseUrl = await serving((request, answer) => {
    const sent = String(request.headers["x-api-key"] ?? request.headers.authorization ?? "");
    const echoes = [key, token, sent, sent.replace("Bearer ", "")].flatMap(spellings);
    const echo = echoes[answers++ % echoes.length];
    const body = { token, id: echo, operation_id: echo, status: echo, message: echo, batches: echoes, [`m${key}`]: 1 };
    const headers = { "x-request-id": encodeURIComponent(echoes.join(",")) };
    answer(request.url === "/auth/token" ? 200 : 403, body, headers);
  });
  const words = ["run", "--base-url", baseUrl, "--profile", "smoke", ...quick];
  const { code, stdout, stderr } = await command(words, folder);
  expect(stderr).not.toContain("a secret was found");
  expect([1, 3], stdout + stderr).toContain(code);
  expect(reportIn(folder).requests).toBeGreaterThan(3);
  expectNone([key, token], [stdout, stderr], folder);
}, 60_000);

const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret),
  Buffer.from(secret).toString("base64"),
  Buffer.from(secret).toString("base64url"),
  Buffer.from(secret).toString("hex"),
  `before${secret}after`,
];
