import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testContext } from "../testing/test-context.ts";

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
