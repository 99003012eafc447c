import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../commands/index.ts";
import { completionScripts } from "./scripts.ts";
import { completedCommands } from "./words.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const completed = completedCommands(commands, { "--only": ["auth", "OPER-02"], explain: ["OPER-02"] });
const scriptFile = (shell: keyof typeof completionScripts): string => {
  const folder = temporaryFolder();
  const path = join(folder, `_fxconform.${shell}`);
  writeFileSync(path, completionScripts[shell](completed));
  return path;
};

test("every command and every option of the table can be completed, options with the words that they take", () => {
  expect(completed.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
  const run = completed.find(({ name }) => name === "run");
  const takes = (long: string) => run?.flags.find((flag) => flag.long === long)?.takes;
  expect(takes("--profile")).toEqual(["smoke", "full"]);
  expect(takes("--reports")).toContain("junit");
  expect(takes("--only")).toEqual(["auth", "OPER-02"]);
  expect(takes("--ca")).toBe("anything");
  expect(takes("--strict")).toBe("nothing");
});

/** What bash offers after these words. */
const bashOffers = (...words: readonly string[]): readonly string[] => {
  const line = words.map((word) => `'${word}'`).join(" ");
  const script = `source '${scriptFile("bash")}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _fxconform; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
};

test("bash completes commands, options and their words", { tags: "bash" }, () => {
  expect(bashOffers("fxconform", "re")).toEqual(["replay", "report"]);
  expect(bashOffers("fxconform", "run", "--base")).toEqual(["--base-url", "--baseline"]);
  expect(bashOffers("fxconform", "run", "--profile", "s")).toEqual(["smoke"]);
  expect(bashOffers("fxconform", "explain", "OPER")).toEqual(["OPER-02"]);
});

for (const shell of ["zsh", "fish"] as const)
  test(`${shell} reads its script`, { tags: shell }, () => {
    expect(() => execFileSync(shell, ["-n", scriptFile(shell)], { stdio: "pipe" })).not.toThrow();
  });

test("fish completes commands, options and their words", { tags: "fish" }, () => {
  const offers = (line: string) =>
    execFileSync("fish", ["--no-config", "-c", `source '${scriptFile("fish")}'; complete -C '${line}'`], {
      encoding: "utf8",
    })
      .trim()
      .split("\n")
      .map((row) => row.split("\t")[0]);
  expect(offers("fxconform rep")).toEqual(expect.arrayContaining(["replay", "report"]));
  expect(offers("fxconform run --profile s")).toEqual(["smoke"]);
  expect(offers("fxconform run --base")).toEqual(expect.arrayContaining(["--base-url", "--baseline"]));
});
