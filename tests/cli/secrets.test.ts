import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { foundWays } from "../../model/testing/changed-secrets.ts";
import { spellingsOf } from "../../model/testing/secret-spellings.ts";
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

test("no text shows what a token response issues, nor a key or token that a server gives back anywhere, cut or changed", async () => {
  const apiKey = "tE5t-Key-93hG_x72Kq0w4VnB";
  const token = "aZ9kQx2Lm0vR7tWbYc4EsD8f/+=&";
  const issued = (name: string): string => `${name}-Q7w2Lk9ZrT4xN8bH`;
  const body = {
    token,
    refresh_token: issued("refresh"),
    data: { list: [{ x: issued("deep") }] },
    message: `Use ${issued("sentence")} from now on.`,
  };
  const headers = { "Set-Cookie": `sid=${issued("cookie")}`, "X-Auth-Token": issued("header") };
  const ways = [token, apiKey].flatMap((secret) => [
    ...spellingsOf(secret),
    ...Object.values(foundWays).map((way) => way(secret)),
  ]);
  let answers = 0;
  const baseUrl = await serving((request, answer) => {
    const echo = ways[answers % ways.length] ?? token;
    answers += 1;
    if (request.url === "/auth/token") return answer(200, { ...body, id: echo }, headers);
    answer(
      403,
      { message: `${echo} ${JSON.stringify(body)}`, all: ways, [`m ${echo}`]: { [echo]: 1 } },
      {
        "content-type": `application/json; x=${encodeURIComponent(echo)}`,
        location: `https://a.test/?k=${encodeURIComponent(echo)}`,
        "set-cookie": `s=${encodeURIComponent(echo)}`,
        ...(answers % 2 === 0 && { "content-encoding": encodeURIComponent(echo) }),
      },
    );
  });
  const { wholeIn } = redactionOf([apiKey, token]);
  for (const text of await textsOf(baseUrl, { FXCONFORM_API_KEY: apiKey })) {
    expect(["Q7w2Lk9ZrT4xN8bH", ...ways].filter((one) => text.includes(one))).toEqual([]);
    expect([...wholeIn(text)]).toEqual([]);
  }
});
