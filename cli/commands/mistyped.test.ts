import { expect, test } from "vitest";
import { flagOf, optionNames, optionOf, runOptions, variableOf } from "../../settings/options.ts";
import { local, testContext } from "../testing/test-context.ts";

/** A key that may stand in any wrong place, and its parts that no message may show. */
const key = "KqZ7-vW2Lk9ZrT4xN8bHs3Jd6Pm";
const shows = /W2Lk9|ZrT4x|N8bHs|Jd6Pm/i;

/** Wrong values in which the key stands. */
const wrongs = [
  key,
  `${key}://x`,
  `https://${key}@x?${key}`,
  `X-Key:env:${key}`,
  `{"a":"{${key.replaceAll("-", "_")}}"}`,
  `X: 1\n${key}`,
  `listBatches ${key}=1ms`,
  `${key}:`,
];

async function outputOf(
  words: readonly string[],
  env: Record<string, string> = {},
  file = "{}",
): Promise<string> {
  const here = testContext();
  here.file("own.json", file);
  const { stderr, code, started } = await here.run(words, env);
  // A path, a header or an id may be any text, so that the value is not wrong everywhere.
  return code === 2 || started.length === 0 ? stderr : "";
}

const commandOf = (name: (typeof optionNames)[number]): readonly string[] =>
  runOptions.includes(name) ? ["run", ...local.split(" ")] : ["judge", "none.har"];

const named = ["--config", "own.json"];

test.each(optionNames)("a key in the place of %s is not shown", async (name) => {
  const command = commandOf(name);
  expect(await outputOf([...command, `${flagOf(name)}=${key}`])).not.toMatch(shows);
  expect(await outputOf(command, { [variableOf(name)]: key })).not.toMatch(shows);
  const file = JSON.stringify({ [name]: { [key]: key } });
  expect(await outputOf([...command, ...named], {}, file)).not.toMatch(shows);
});

test("a proxy is an address: a key in its place is not looked up", async () => {
  const { code, stderr } = await testContext().run(["run", ...local.split(" "), `--proxy=${key}`]);
  expect(code).toBe(2);
  expect(stderr).not.toMatch(shows);
});

test.each(wrongs)("nor are its parts, in the place of all options at once: %s", async (wrong) => {
  const all = runOptions.filter((name) => name !== "watch");
  const words = all
    .filter((name) => optionOf(name).value !== undefined)
    .flatMap((name) => [flagOf(name), wrong]);
  const env = Object.fromEntries(optionNames.map((name) => [variableOf(name), wrong]));
  expect(await outputOf(["run", ...words])).not.toMatch(shows);
  for (const command of [["run"], ["judge", "none.har"], ["doctor"]]) {
    expect(await outputOf(command, env)).not.toMatch(shows);
    for (const value of [wrong, [wrong], { [wrong]: wrong }]) {
      const file = JSON.stringify(Object.fromEntries(optionNames.map((name) => [name, value])));
      expect(await outputOf([...command, ...named], {}, file)).not.toMatch(shows);
    }
  }
});

test.each([
  key,
  `--${key}`,
  `run --${key}=${key}`,
  `run -${key}`,
  `list --only ${key}`,
  `explain ${key}`,
  `serve --port ${key}`,
  `serve --fault ${key}`,
  `serve --variant ${key}`,
  `serve --list ${key}`,
  `demo --fault ${key}`,
  `diff ${key} ${key}`,
  `pin ${key}`,
  `pin own.json --only ${key}`,
  `report ${key}`,
  `report own.json --to ${key}`,
  `replay ${key}`,
  `judge ${key}`,
  `contract ${key}`,
  `contract own.json --root ${key}`,
  `init --base-url ${key}`,
  `init --currency-pairs ${key}`,
  `run --config ${key}`,
])("nor by %s", async (words) => {
  expect(await outputOf(words.split(" "))).not.toMatch(shows);
});

test("nor as a name in a file, or as a value of another file in the place of a baseline", async () => {
  const run = ["run", ...local.split(" ")];
  expect(await outputOf([...run, ...named], {}, JSON.stringify({ [key]: key }))).toMatch(
    /KqZ….*is not an option/,
  );
  for (const [option, file] of [
    ["--statement", { [key]: key, password: "hunter2-hunter2" }],
    ["--baseline", [{ requirement: key, [key]: "hunter2-hunter2" }]],
    ["--baseline", ["hunter2-hunter2"]],
  ] as const) {
    const said = await outputOf([...run, option, "own.json"], {}, JSON.stringify(file));
    expect(said).toMatch("in own.json");
    expect(said).not.toMatch(shows);
    expect(said).not.toMatch("hunter2");
  }
});
