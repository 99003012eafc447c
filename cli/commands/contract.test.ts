import { expect, test } from "vitest";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { contractPath } from "../../spec/contract.ts";
import { expectRefused, testContext } from "../testing/test-context.ts";

const ours = readFileSync(contractPath, "utf8");
/**
 * The amount as a text contradicts a MUST. Without the response 401, the document only says less.
 */
const wrong = ours.replace("type: number", "type: string");
const less = ours.replace('"401":', '"409":');

test("contract ends with the exit codes of a run, and never says that a server conforms", async () => {
  const { run, file, read } = testContext();
  file("ours.yaml", ours);
  file("wrong.yaml", wrong);
  file("less.yaml", less);
  file("none.yaml", "openapi: 3.0.3\npaths: {}");
  file("known.yaml", "- { requirement: OPER-10, reason: known, expires: 2099-01-01 }");
  const codes = [
    "ours",
    "wrong.yaml --baseline known",
    "less.yaml --strict",
    "none",
    "wrong.yaml --only auth",
    "wrong",
  ];
  const found = [];
  for (const words of codes)
    found.push(await run(`contract ${words}.yaml`.replace(/(strict|auth).yaml/, "$1")));
  expect(found.map(({ code }) => code)).toEqual([0, 0, 1, 3, 0, 1]);
  expect(found[0]?.stdout).toContain("partial");
  expect(found.at(-1)?.stdout).toMatch(
    /The document promises something else than the specification: \d+ mistakes? breaks? \d+ of \d+ MUST/,
  );
  expect(JSON.parse(read("report.json"))).toMatchObject({
    profile: "contract",
    outcome: "nonconformant",
    requests: 0,
    complete: false,
  });
});

test("a reference may lead out of the folder of the document where --root allows it", async () => {
  const { run, file, folder } = testContext();
  mkdirSync(join(folder, "api"));
  file("api/openapi.yaml", "openapi: 3.1.0\npaths: { /batches: { $ref: ../secret.env } }\n");
  file("secret.env", "password: sesame\n: : sesame [\n");
  expectRefused(await run("contract api/openapi.yaml"), "leads out of the folder of the document");
  const broken = await run("contract api/openapi.yaml --root .");
  expectRefused(broken, "secret.env:2: is neither JSON nor YAML");
  expect(broken.stderr).not.toMatch(/sesame|password/);
});

test("the console, the page and a job on GitHub show the line to change; there are no exchanges and no metrics", async () => {
  const { run, file, folder, read, reports } = testContext();
  const github = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: dirname(folder) };
  file("wrong.yaml", wrong);
  const line = wrong
    .slice(0, wrong.indexOf("type: string\n          format: double"))
    .split("\n").length;
  const { stdout, stderr } = await run("contract wrong.yaml", github);
  expect(stdout).toContain(`type is string, must be number\n  place     wrong.yaml:${line}:`);
  expect(stdout).toContain(`> ${line} |           type: string`);
  expect(stderr).toContain(`::error file=${basename(folder)}/wrong.yaml,line=${line},col=`);
  expect(reports()).toEqual(["junit.xml", "report.html", "report.json"]);
  const page = read("report.html");
  const [, advice = ""] = page.split("<summary>How OPER-10 is read</summary>");
  expect(advice.slice(0, advice.indexOf("</details>"))).toMatch(
    /What to change in the document<.*wrong\.yaml:\d+:\d+ +#.*type is string, must be number/s,
  );
});
