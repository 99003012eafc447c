import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { testContext } from "../testing/test-context.ts";

const name = "fxconform.config.yaml";
const written = (folder: string): string => readFileSync(join(folder, name), "utf8");

test("without a terminal, flags say what the file holds; everything else stands in comments", async () => {
  const { run, folder } = testContext();
  const target = "--base-url https://localhost:4010/fx/ --customer-id c:1 --api-key env:SANDBOX_KEY --amount 5..50:0";
  const lists = "--currency-pairs USDBRL,EURBRL --currency-pairs GBPBRL --other-purposes IMPORT --ca server.pem";
  const { code, stderr } = await run(`init ${target} ${lists}`);
  expect(code, stderr).toBe(0);
  expect(parse(written(folder))).toEqual({
    baseUrl: "https://localhost:4010/fx",
    apiKey: "env:SANDBOX_KEY",
    customerId: "c:1",
    currencyPairs: ["USDBRL", "EURBRL", "GBPBRL"],
    otherPurposes: ["IMPORT"],
    amount: { min: 5, max: 50, decimals: 0 },
    ca: "server.pem",
  });
  expect(written(folder)).toMatch(/^# concurrency: 8$/m);
});

test("what it writes can be run at once", async () => {
  const { run } = testContext();
  await run("init --api-key env:SANDBOX_KEY --customer-id 0017 --targets sandbox,eu-1=https://eu.fx.example/api");
  const { started, stderr } = await run("run", { SANDBOX_KEY: "key-0123456789" });
  expect(started, stderr).toMatchObject([
    { target: { baseUrl: "https://localhost:4010", apiKey: "key-0123456789", customerId: "0017" } },
  ]);
  const other = await run("run --target eu-1", { EU_1_API_KEY: "key-of-the-other" });
  expect(other.started, other.stderr).toMatchObject([
    {
      target: { name: "eu-1", baseUrl: "https://eu.fx.example/api", apiKey: "key-of-the-other" },
      settings: { profile: "smoke" },
    },
  ]);
});

test.each([
  ["", undefined],
  ["--base-url https://127.0.0.1:1", undefined],
  ["--base-url https://fx.example", "smoke"],
  ["--base-url https://fx.example --profile full", "full"],
])("init %s: away from this machine, only a chosen profile creates anything (%s)", async (flags, profile) => {
  const { run, folder } = testContext();
  expect((await run(`init ${flags}`)).code).toBe(0);
  expect((parse(written(folder)) as { profile?: string }).profile).toBe(profile);
});

test("it writes no address that it was not given, other than loopback and reserved names", async () => {
  const { run, folder } = testContext();
  await run("init --targets sandbox,production");
  const hosts = [...written(folder).matchAll(/\bhttps?:\/\/([^/:\s"]+)/g)].map(([, host = ""]) => host);
  expect(hosts.length).toBeGreaterThan(3);
  for (const host of hosts) expect(host).toMatch(/^localhost$|\.example(\.com)?$/);
});

test("--force replaces the file", async () => {
  const { run, folder, file } = testContext();
  file(name, "baseUrl: https://old.fx.example\n");
  expect((await run("init --customer-id c1")).code).toBe(2);
  expect(written(folder)).toBe("baseUrl: https://old.fx.example\n");
  expect((await run("init --customer-id c1 --force")).code).toBe(0);
  expect(parse(written(folder))).toEqual({ baseUrl: "https://localhost:4010", customerId: "c1" });
});

const onTerminal = (...lines: readonly string[]) => testContext(undefined, {}, { isTerminal: true, lines });

test("on a terminal it asks for what no flag says; an empty answer takes the default", async () => {
  const { run, folder } = onTerminal("", "", "EURBRL", "", "", "sandbox");
  const { code, stdout } = await run("init --customer-id c1");
  expect(code).toBe(0);
  expect(stdout).toContain("Address of the server [https://localhost:4010]: ");
  expect(stdout).not.toContain("Customer");
  expect(parse(written(folder))).toEqual({
    baseUrl: "https://localhost:4010",
    customerId: "c1",
    currencyPairs: ["EURBRL"],
    targets: {
      sandbox: { baseUrl: "https://sandbox.fx.example", apiKey: "env:SANDBOX_API_KEY", profile: "smoke" },
    },
  });
});

test("a wrong answer is explained and asked for again; a key is not repeated", async () => {
  const { run, folder } = onTerminal("fx", "https://localhost:1", "secret-key-1", "file:key.txt", "", "", "", "", "");
  const { code, stdout } = await run("init");
  expect(code).toBe(0);
  expect(stdout).toContain("This: must be an absolute URL with https:// in front");
  expect(stdout).toContain("This: must be env:NAME or file:path. The key itself does not belong into the file.");
  expect(stdout + written(folder)).not.toContain("secret-key-1");
  expect(parse(written(folder))).toEqual({ baseUrl: "https://localhost:1", apiKey: "file:key.txt" });
});

test("a terminal that ends before the last answer leaves no file", async () => {
  const { run, folder } = onTerminal("https://localhost:1");
  const { code, stderr } = await run("init");
  expect(code).toBe(130);
  expect(stderr).toBe("\nNothing was written.\n");
  expect(existsSync(join(folder, name))).toBe(false);
});
