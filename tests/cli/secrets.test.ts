import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { foundWays } from "../../model/testing/changed-secrets.ts";
import { renderers } from "../../reports/index.ts";
import { redactionOf } from "../../model/evidence/redaction.ts";
import { key, quick, reportIn, serving, warmCommands } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const command = warmCommands(key);

/** Expects that all reports exist, and that neither they nor these texts contain a secret. */
function expectNone(secrets: readonly string[], texts: readonly string[], folder: string): void {
  const reports = join(folder, "fxconform-report");
  const written = readdirSync(reports).map((name) => readFileSync(join(reports, name), "utf8"));
  expect(written).toHaveLength(Object.keys(renderers).length);
  const { wholeIn } = redactionOf(secrets);
  for (const text of [...texts, ...written]) expect([...wholeIn(text)]).toEqual([]);
}

test("no report holds a key or token that a server echoes in some spelling", async () => {
  const folder = temporaryFolder();
  const token = "token/+0123456789=&";
  let answers = 0;
  const baseUrl = await serving((request, answer) => {
    const sent = String(request.headers["x-api-key"] ?? request.headers.authorization ?? "");
    const echoes = [key, token, sent, sent.replace("Bearer ", "")].flatMap(spellings);
    const echo = echoes[answers % echoes.length];
    answers += 1;
    const body = {
      token,
      id: echo,
      operation_id: echo,
      status: echo,
      message: echo,
      batches: echoes,
      [`m${key}`]: 1,
    };
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

/** Forms of a success of the token endpoint, each with the secrets that it issues. */
const issuing: readonly ((made: (name: string) => string) => {
  readonly body: unknown;
  readonly headers?: object;
})[] = [
  (made) => ({ body: { access_token: made("renamed"), token_type: "Bearer" } }),
  (made) => ({
    body: { token: made("token"), refresh_token: made("refresh"), id_token: made("id") },
  }),
  (made) => ({ body: { token: made("token"), data: { list: [{ x: made("deep") }] } } }),
  (made) => ({
    body: { token: made("token") },
    headers: { "Set-Cookie": `sid=${made("cookie")}; Path=/`, "X-Auth-Token": made("header") },
  }),
  (made) => ({ body: { message: `Use ${made("sentence")} from now on.` } }),
];

test.each(issuing.map((shape, at) => [at, shape] as const))(
  "nothing shows what a token response issues, shape %i",
  async (_, shape) => {
    const folder = temporaryFolder();
    const made = (name: string): string => `${name}-Q7w2Lk9ZrT4xN8bH`;
    const baseUrl = await serving((request, answer) => {
      const { body, headers } = shape(made);
      if (request.url === "/auth/token") answer(200, body, headers as Record<string, string>);
      else answer(403, { message: JSON.stringify(body) });
    });
    const words = [
      "run",
      "--base-url",
      baseUrl,
      "--profile",
      "smoke",
      "--record",
      "it.har",
      "--verbose",
      ...quick,
    ];
    const { stdout, stderr } = await command(words, folder);
    const files = [
      join(folder, "it.har"),
      ...readdirSync(join(folder, "fxconform-report")).map((name) =>
        join(folder, "fxconform-report", name),
      ),
    ];
    for (const text of [stdout, stderr, ...files.map((file) => readFileSync(file, "utf8"))])
      expect(text).not.toContain("Q7w2Lk9ZrT4xN8bH");
  },
  60_000,
);

test("no report shows a key or token that a server gives back cut or changed", async () => {
  const folder = temporaryFolder();
  const token = "aZ9kQx2Lm0vR7tWbYc4EsD8f";
  const texts = [token, "tE5t-Key-93hG_x72Kq0w4VnB"].flatMap((secret) =>
    Object.values(foundWays).map((way) => way(secret)),
  );
  let answers = 0;
  const baseUrl = await serving((request, answer) => {
    const echo = texts[answers % texts.length];
    answers += 1;
    answer(request.url === "/auth/token" ? 200 : 403, {
      token,
      message: echo,
      id: echo,
      all: texts,
      [`m ${echo}`]: 1,
    });
  });
  const words = [
    "run",
    "--base-url",
    baseUrl,
    "--profile",
    "smoke",
    "--record",
    "it.har",
    ...quick,
  ];
  const { stdout, stderr } = await command(words, folder, {
    FXCONFORM_API_KEY: "tE5t-Key-93hG_x72Kq0w4VnB",
  });
  const reports = join(folder, "fxconform-report");
  const written = [
    ...readdirSync(reports).map((name) => join(reports, name)),
    join(folder, "it.har"),
  ];
  expect(stderr).not.toContain("a secret was found");
  for (const text of [stdout, stderr, ...written.map((file) => readFileSync(file, "utf8"))])
    expect(texts.filter((changed) => text.includes(changed))).toEqual([]);
}, 60_000);

function spellings(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
    Buffer.from(secret).toString("hex"),
    `before${secret}after`,
  ];
}

test("no text of any file shows the key of a server that puts it everywhere, its content coding included", async () => {
  const folder = temporaryFolder();
  const ways = [key, key.toLowerCase(), key.toUpperCase(), ...spellings(key)];
  let answers = 0;
  const baseUrl = await serving((request, answer) => {
    const echo = ways[answers % ways.length] ?? key;
    answers += 1;
    const isToken = request.url === "/auth/token";
    answer(
      isToken ? 200 : 403,
      { token: "token-q7Vw2Lk9ZrT4", id: echo, [`m ${echo}`]: { [echo]: ways } },
      {
        "content-type": `application/json; x=${echo}`,
        location: `https://a.test/?k=${encodeURIComponent(echo)}`,
        "set-cookie": `s=${echo}`,
        ...(!isToken && answers % 2 === 0 ? { "content-encoding": echo } : {}),
      },
    );
  });
  const words = ["run", "--base-url", baseUrl, "--profile", "smoke", "--record", "it.har"];
  const { stdout, stderr } = await command([...words, "--verbose", ...quick], folder);
  expect(stderr).not.toContain("a secret was found");
  const reports = join(folder, "fxconform-report");
  const files = [
    join(folder, "it.har"),
    ...readdirSync(reports).map((name) => join(reports, name)),
  ];
  const { wholeIn } = redactionOf([key]);
  for (const text of [stdout, stderr, ...files.map((file) => readFileSync(file, "utf8"))])
    expect([...wholeIn(text)]).toEqual([]);
}, 60_000);
