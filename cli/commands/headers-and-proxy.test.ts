import { expect, test } from "vitest";
import { local, testContext } from "../testing/test-context.ts";

const quiet = ["--reports", "json"];
function words(...more: readonly string[]): readonly string[] {
  return ["run", ...local.split(" "), ...quiet, ...more];
}

test("headers come from flags and the file, their values from variables and files too", async () => {
  const { run, file } = testContext();
  const path = file("gateway.txt", "from-a-file\n");
  const flags = ["--header", "X-Tenant: a, b: c", "--header", "x-key:env:GATEWAY"];
  const byFlag = await run(words(...flags), { GATEWAY: "from-a-variable" });
  expect(byFlag.code).toBe(0);
  expect(byFlag.started[0]?.target.headers).toEqual([
    { name: "X-Tenant", value: "a, b: c" },
    { name: "x-key", value: "from-a-variable", source: "env:GATEWAY" },
  ]);
  file("fxconform.config.yaml", "headers:\n  X-Key: file:gateway.txt\n");
  const byFile = await run(words("--config", "fxconform.config.yaml"));
  expect(byFile.started[0]?.target.headers).toEqual([
    { name: "X-Key", value: "from-a-file", source: `file:${path}` },
  ]);
});

test("--proxy holds for loopback addresses too, and its credentials are decoded and kept apart", async () => {
  const flags = words("--proxy", "http://us%40er:p%3Ass@proxy.example:3128");
  const { started } = await testContext().run(flags, {
    HTTPS_PROXY: "http://other.example",
    NO_PROXY: "*",
  });
  expect(started[0]?.target.proxy).toEqual({
    url: "http://proxy.example:3128",
    credentials: { user: "us@er", password: "p:ss" },
    from: "--proxy",
  });
  expect(started[0]?.given).toMatchObject({ proxy: "http://proxy.example:3128" });
});
