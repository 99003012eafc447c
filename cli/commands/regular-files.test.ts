import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { expectRefused, local, testContext } from "../testing/test-context.ts";

test.each([
  [`run ${local} --baseline PIPE`, "--baseline: names what is a pipe, not a file"],
  [
    "run --base-url https://localhost:1 --api-key-file /dev/zero",
    "--api-key-file: names what is a device, not a file",
  ],
  ["report PIPE", "names what is a pipe, not a file"],
  ["judge PIPE", "pipe: is a pipe, not a file"],
])("%s is refused at once", async (words, says) => {
  const { folder, run } = testContext();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expectRefused(await run(words.replace("PIPE", pipe)), says);
});

test("a key can come from a pipe, as a shell makes one of <(…)", async () => {
  const { folder, run } = testContext();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const writer = spawn("sh", ["-c", `printf key-0123456789 > ${pipe}`]);
  onTestFinished(() => void writer.kill());
  const { started } = await run(
    `run --base-url https://localhost:4010 --customer-id c --api-key-file ${pipe}`,
  );
  expect(started[0]?.target.apiKey).toBe("key-0123456789");
});
