import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { testContext } from "../testing/test-context.ts";

const name = "fxconform.config.yaml";
const written = (folder: string): string => readFileSync(join(folder, name), "utf8");

test("the file holds what the flags say, in at most 25 lines, and names where all options are", async () => {
  const { run, folder } = testContext();
  const pairs = "--currency-pairs USDBRL,EURBRL --currency-pairs GBPBRL";
  const { code, stderr } = await run(
    `init --base-url https://fx.example/v1/ --customer-id c:1 ${pairs}`,
  );
  expect(code, stderr).toBe(0);
  expect(parse(written(folder))).toEqual({
    baseUrl: "https://fx.example/v1",
    profile: "smoke",
    customerId: "c:1",
    currencyPairs: ["USDBRL", "EURBRL", "GBPBRL"],
  });
  expect(written(folder).split("\n").length).toBeLessThanOrEqual(25);
  expect(written(folder)).toContain("# All options: ./node_modules/fxconform/docs/options.md\n");
  expect(written(folder)).toMatch(/^# yaml-language-server: \$schema=.*config\.schema\.json\n/);
});

test("it says what comes next, and leaves the profile of a loopback address out", async () => {
  const { run, folder } = testContext();
  expect((await run("init")).stderr).toMatch(
    /\nNext: set FXCONFORM_API_KEY, then [^\n]+ doctor\n$/,
  );
  expect(parse(written(folder))).toEqual({ baseUrl: "https://localhost:4010" });
});
