import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rules } from "../harness/judging/judge.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import { refusalRequirements } from "../spec/refusals.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Requirements that a scenario judges, because no exchange shows them by itself. */
const judgedByScenarios = {
  "HTTP-07": "what is sent over plain HTTP goes to another address than the target's",
  "AUTH-02": "the same key must get a token in another way, or the key is wrong",
  "AUTH-03": "the same key must get a token in another way, or the key is wrong",
  "AUTH-04":
    "a token may lapse or be used up: a refusal counts if one that is fetched and used alone is refused too",
} as const satisfies Partial<Record<RequirementId, string>>;

/**
 * Requirements that are judged where requests are sent: there is no response, or no token works.
 */
const judgedWhenSent: readonly RequirementId[] = ["HTTP-05"];

/** The code of a folder, file by file. */
function codeOf(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.ts$/.test(path) && !path.startsWith("testing/"))
    .map((path) => [`${folder}/${path}`, readFileSync(join(root, folder, path), "utf8")]);
}

test("scenarios judge nothing but what is listed", () => {
  const calling = codeOf("suites").filter(
    ([path, text]) => path.endsWith(".scenario.ts") && /\b(violated|holds)\(/.test(text),
  );
  expect(calling.map(([path]) => path)).toEqual([
    "suites/auth/token.scenario.ts",
    "suites/transport/plain-http.scenario.ts",
  ]);
  const named = calling.flatMap(([, text]) => [
    ...text.matchAll(/\b(?:violated|holds)\(\s*"([^"]+)"/g),
  ]);
  for (const [, id = ""] of named) expect(Object.keys(judgedByScenarios)).toContain(id);
});

test("recordings are judged by the rules alone", () => {
  const judging = /^import (?!type)[^;]*\b(?:broken|holds|noVerdict)\b[^;]*;|\bviolation:/m;
  expect(codeOf("engine/recording").filter(([, text]) => judging.test(text))).toEqual([]);
});

test("every requirement is decided in one place", () => {
  const decided = [
    ...rules.flatMap(({ decides }) => decides),
    ...refusalRequirements,
    ...judgedWhenSent,
    ...Object.keys(judgedByScenarios),
  ];
  expect(decided.toSorted()).toEqual(requirementIds.toSorted());
});
