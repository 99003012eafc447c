import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { foundWays } from "../../model/testing/changed-secrets.ts";
import { renderers } from "../../reports/index.ts";
import { redactionOf } from "../../model/evidence/redaction.ts";
import { key, quick, serving, warmCommands } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const command = warmCommands(key);

/** Everything that a run against this server prints and writes: all reports, and a recording. */
async function textsOf(
  baseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const words = ["run", "--base-url", baseUrl, "--profile", "smoke", "--record", "it.har"];
  const { code, stdout, stderr } = await command([...words, "--verbose", ...quick], folder, env);
  expect([1, 3], stdout + stderr).toContain(code);
  expect(stderr).not.toContain("a secret was found");
  const reports = join(folder, "fxconform-report");
  const names = readdirSync(reports);
  expect(names).toHaveLength(Object.keys(renderers).length);
  const files = [join(folder, "it.har"), ...names.map((name) => join(reports, name))];
  return [stdout, stderr, ...files.map((file) => readFileSync(file, "utf8"))];
}

test("no report shows what a token response issues, nor a key or token that a server gives back cut or changed", async () => {
  const apiKey = "tE5t-Key-93hG_x72Kq0w4VnB";
  const token = "aZ9kQx2Lm0vR7tWbYc4EsD8f";
  const issued = (name: string): string => `${name}-Q7w2Lk9ZrT4xN8bH`;
  const body = {
    token,
    refresh_token: issued("refresh"),
    data: { list: [{ x: issued("deep") }] },
    message: `Use ${issued("sentence")} from now on.`,
  };
  const headers = { "Set-Cookie": `sid=${issued("cookie")}`, "X-Auth-Token": issued("header") };
  const changed = [token, apiKey].flatMap((secret) =>
    Object.values(foundWays).map((way) => way(secret)),
  );
  let answers = 0;
  const baseUrl = await serving((request, answer) => {
    const echo = changed[answers % changed.length];
    answers += 1;
    if (request.url === "/auth/token") return answer(200, { ...body, id: echo }, headers);
    answer(403, { message: `${echo} ${JSON.stringify(body)}`, all: changed, [`m ${echo}`]: 1 });
  });
  for (const text of await textsOf(baseUrl, { FXCONFORM_API_KEY: apiKey }))
    expect(["Q7w2Lk9ZrT4xN8bH", ...changed].filter((one) => text.includes(one))).toEqual([]);
});

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

test("no text of any file shows the key or the token of a server that puts them everywhere, its content coding included", async () => {
  const token = "token/+0123456789=&";
  const ways = [key.toLowerCase(), key.toUpperCase(), ...[key, token].flatMap(spellings)];
  let answers = 0;
  const baseUrl = await serving((request, answer) => {
    const echo = ways[answers % ways.length] ?? key;
    answers += 1;
    const isToken = request.url === "/auth/token";
    answer(
      isToken ? 200 : 403,
      { token, id: echo, [`m ${echo}`]: { [echo]: ways } },
      {
        "content-type": `application/json; x=${echo}`,
        location: `https://a.test/?k=${encodeURIComponent(echo)}`,
        "set-cookie": `s=${echo}`,
        ...(!isToken && answers % 2 === 0 ? { "content-encoding": echo } : {}),
      },
    );
  });
  const { wholeIn } = redactionOf([key, token]);
  for (const text of await textsOf(baseUrl)) expect([...wholeIn(text)]).toEqual([]);
});
