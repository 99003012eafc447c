import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { copyOfProgram, ended, printed, start } from "./program.ts";

const slow = { timeout: 120_000 };
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A program that says when it begins to read a file `a…`, and then hangs. */
const hanging = {
  "model/files.js": (text: string) =>
    text.replaceAll(
      /export function (fileBytes|openFile)\(.*\{/g,
      (line) =>
        `${line} if (/[/]a[^/]*$/.test(path)) { process.getBuiltinModule("fs").writeSync(2, "reads"); for (;;) ; }`,
    ),
};

test(
  "whatever the reader of a file does, a signal ends each command that reads one",
  slow,
  async () => {
    const program = copyOfProgram("hanging", hanging);
    const read = ["judge", "contract", "replay", "diff a.json", "pin", "report"];
    const configured = ["run", "demo", "doctor"].map((name) => `${name} --config`);
    for (const [index, name] of [...read, ...configured].entries()) {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "a.json"), "{}");
      const running = start([...name.split(" "), "a.json"], folder, { program });
      await printed(running, /reads/, "stderr");
      const signal = signals[index % signals.length];
      running.child.kill(signal);
      await ended(running);
      expect({ name, how: running.child.signalCode }).toEqual({ name, how: signal });
    }
  },
);

test("an entry that never ends is refused before it fills the memory", slow, async () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.har");
  writeFileSync(path, '{"log":{"entries":[');
  // A hole reads as zeros, and uses no disk.
  truncateSync(path, 8 * 2 ** 30);
  const { code, stderr } = await ended(start(["judge", path], folder));
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "fxconform: a.har: has more than 256 MiB in one entry, or around its entries.\n",
  });
});
