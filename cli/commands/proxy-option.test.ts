import { expect, test } from "vitest";
import { expectRefused, local, testContext } from "../testing/test-context.ts";

function words(...more: readonly string[]): readonly string[] {
  return ["run", ...local.split(" "), ...more];
}

test("--proxy holds for loopback addresses too, and its credentials are decoded and kept apart", async () => {
  const flags = words("--proxy", "http://us%40er:p%3Ass@proxy.example:3128", "--reports", "json");
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

test.each([
  [
    ["--proxy", "socks5://proxy.example"],
    /--proxy: must be the address of an HTTP proxy\. A socks5 proxy is not supported; write http:\/\/host:port/,
  ],
  [
    ["--proxy", "http://me:zzz%zz@proxy.example"],
    /--proxy: must be the address of a proxy with user and password encoded/,
  ],
])("refused before any request: %j", async (flags, message) => {
  const result = await testContext().run(words(...flags));
  expectRefused(result, message);
  expect(result.stderr).not.toContain("zzz");
});
