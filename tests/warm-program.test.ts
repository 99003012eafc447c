import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { createWarmProgram, type Ended } from "./warm-program.ts";

test("the runs of a warm program share one thread", { timeout: 60_000 }, async () => {
  const program = createWarmProgram();
  onTestFinished(program.close);
  const cwd = temporaryFolder();
  const env = { ...process.env, FXCONFORM_API_KEY: "warm-key-0123456789" };
  // A command for an address at which nothing listens.
  const words = ["run", "--base-url", "http://127.0.0.1:1", "--profile", "smoke"];
  await program.run(words, { cwd, env });
  const second: Ended & { readonly threads?: number } = await program.run(words, { cwd, env });
  expect([second.code, second.threads]).toEqual([3, 1]);
});
