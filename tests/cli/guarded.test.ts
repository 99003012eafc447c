import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../cli/commands/index.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { copyOfProgram, ended, printed, start } from "./program.ts";

/** Commands that read nothing but what the user of this machine wrote, or that carry out runs. */
const ownFilesAlone = ["run", "demo", "serve", "list", "doctor", "explain", "init"];

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const guarded = commands.filter(({ mostSeconds }) => mostSeconds !== undefined);
const names = guarded.map(({ name }) => name);

test("every command that reads what others wrote has a time", () => {
  expect([...names, ...ownFilesAlone].toSorted()).toEqual(
    commands.map(({ name }) => name).toSorted(),
  );
});

const slow = { timeout: 120_000 };

/** The words of a command, and the files that they name: two where the command takes several. */
function callOf(name: string) {
  const { words = [] } = guarded.find((row) => row.name === name) ?? {};
  const isMore = words.length > 1 || words.some((word) => word.includes("..."));
  const files = isMore ? ["a.json", "b.json"] : ["a.json"];
  return { call: [name, ...files], files };
}

function folderWithFiles(): string {
  const folder = temporaryFolder();
  for (const file of ["a.json", "b.json"]) writeFileSync(join(folder, file), "{}");
  return folder;
}

/** A program that says when it begins to read a file `a…`, and then does something more. */
const saying = (more = "") => ({
  "model/files.js": (text: string) =>
    text.replaceAll(
      /export function (fileBytes|openFile)\(.*\{/g,
      (line) =>
        `${line} if (/[/]a[^/]*$/.test(path)) { process.getBuiltinModule("fs").writeSync(2, "reads"); ${more} }`,
    ),
});
const hanging = saying("for (;;) ;");

test("whatever the reader of a file does, a signal ends each command", slow, async () => {
  const program = copyOfProgram("hanging", hanging);
  for (const [index, name] of names.entries()) {
    const { call, files } = callOf(name);
    const running = start(call, folderWithFiles(), { program });
    await printed(running, /reads/, "stderr");
    running.child.kill(signals[index % signals.length]);
    const { code, stderr } = await ended(running);
    // A shell reports 130 for both. On a slow machine, the thread takes long to end.
    const how = code ?? running.child.signalCode;
    expect({ name, how }).toEqual({ name, how: code === null ? "SIGINT" : 130 });
    const read = files.length > 1 ? "a.json. Not read: b.json." : "a.json.";
    expect(stderr).toContain(`fxconform: interrupted. It had come to ${read}`);
  }
});

test(
  "whatever the reader of a file does, each command ends when its time is up",
  slow,
  async () => {
    const program = copyOfProgram("hurried", {
      ...hanging,
      "cli/commands/index.js": (text) => text.replaceAll(/mostSeconds: \d+/g, "mostSeconds: 2"),
    });
    for (const name of names) {
      const running = start(callOf(name).call, folderWithFiles(), { program });
      const { code, stderr, stdout } = await ended(running);
      expect({ name, code, stdout }).toEqual({ name, code: 2, stdout: "" });
      // On a slow machine, the time is up before anything is read.
      expect(stderr).toMatch(
        new RegExp(`fxconform: ${name} takes longer than 2 seconds, and was ended[.] .*a[.]json`),
      );
    }
  },
);

/** A recording without an end: its hole reads as zeros, and uses no disk. */
function endless(folder: string): string {
  const path = join(folder, "a.har");
  writeFileSync(path, '{"log":{"entries":[');
  truncateSync(path, 8 * 2 ** 30);
  return path;
}

test("an entry that never ends is refused before it fills the memory", slow, async () => {
  const folder = temporaryFolder();
  const { code, stderr } = await ended(start(["judge", endless(folder)], folder));
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "fxconform: a.har: has more than 256 MiB in one entry, or around its entries.\n",
  });
});

test("a command that fills its memory ends, and says so", slow, async () => {
  const filling = saying("const all = []; for (;;) all.push(new Array(1000).fill(1.5));");
  const program = copyOfProgram("filling", {
    ...filling,
    "cli/guarded.js": (text) =>
      text.replace(
        "execArgv: [],",
        "execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 64 },",
      ),
  });
  const { code, stderr } = await ended(
    start(["contract", "a.json"], folderWithFiles(), { program }),
  );
  expect({ code, stderr: stderr.replace(/^reads/, "") }).toEqual({
    code: 2,
    stderr:
      "fxconform: contract needs more memory than there is, and was ended. It had come to a.json.\n",
  });
});

test("a mistake of the user is reported from the thread as it is without one", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "none"));
  const missing = await ended(start(["diff", "none", "none"], folder));
  expect(missing).toMatchObject({ code: 2, stdout: "" });
  expect(missing.stderr).toMatch(/^fxconform: none: names a file that cannot be read \(ENOENT\)/);
});
