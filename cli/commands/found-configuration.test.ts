import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { flagOf, optionsIn } from "../../settings/options.ts";
import { expectRefused, testContext, type TestContext } from "../testing/test-context.ts";

const name = "fxconform.config.yaml";
const { cert, key } = await makeCertificate();

/** A folder with a configuration file that nobody named, and with files that it can refer to. */
function checkout(configuration: object): TestContext {
  const context = testContext();
  context.file(name, JSON.stringify(configuration));
  context.file("cert.pem", cert);
  context.file("key.pem", key);
  context.file("whole.pem", `${cert}\n${key}`);
  return context;
}

const job = {
  FXCONFORM_BASE_URL: "https://fx.example",
  FXCONFORM_API_KEY: "key-of-the-job-1",
  FXCONFORM_PROFILE: "smoke",
  FXCONFORM_REPORTS: "json",
  OTHER: "variable-of-the-job",
};

/** For each option that decides on the way to the target, what a found file could say. */
const ways: Readonly<Record<string, object>> = {
  proxy: { proxy: "http://theirs.example:3128" },
  headers: { headers: { "X-Theirs": "env:OTHER" } },
  insecure: { insecure: true },
  allowHttp: { allowHttp: true },
  ca: { ca: "cert.pem" },
  cert: { cert: "whole.pem" },
  key: { cert: "cert.pem", key: "key.pem" },
};

describe("where the address comes from elsewhere, a found file does not decide on the way", () => {
  test.each(optionsIn("Network", "TLS"))("%s", async (option) => {
    expect(ways).toHaveProperty(option);
    const context = checkout(ways[option] ?? {});
    for (const command of ["run", "doctor", "run --base-url https://other.example"])
      expectRefused(
        await context.run(command, job),
        `${option} in ${name}: `,
        `Give it by ${flagOf(option)}`,
        `say that you trust this file: --config ${name}.`,
      );
    const named = await context.run(`run --config ${name}`, job);
    expect(named.started, named.stderr).toHaveLength(1);
    const byVariable = await context.run("run", { ...job, FXCONFORM_CONFIG: name });
    expect(byVariable.started, byVariable.stderr).toHaveLength(1);
    const without = await context.run("run --no-config", job);
    expect(without.started[0]?.target, without.stderr).not.toHaveProperty("proxy");
    expect(without.started[0]?.target.insecure).toBe(false);
  });

  test("what changes nothing is not refused", async () => {
    const context = checkout({
      insecure: false,
      allowHttp: false,
      headers: { "X-Tenant": "acme" },
      timeout: "3s",
    });
    const { started, stderr } = await context.run("run", job);
    expect(started[0]?.settings.timeout, stderr).toBe(3_000);
    const overridden = checkout({ proxy: "http://theirs.example:3128" });
    const own = await overridden.run("run --proxy http://ours.example:3128", job);
    expect(own.started[0]?.target.proxy?.url, own.stderr).toBe("http://ours.example:3128");
  });
});

test("a found file that gives the address says how to reach it: the way of an implementer", async () => {
  const { FXCONFORM_BASE_URL: baseUrl, ...env } = job;
  const all = Object.assign({}, ...Object.values(ways)) as object;
  const context = checkout({ ...all, baseUrl });
  const { started, stderr } = await context.run("run", env);
  expect(started[0]?.target, stderr).toMatchObject({ baseUrl, insecure: true });
});

describe("a found file takes no secret from outside its folder", () => {
  const places = {
    above: "../secret.txt",
    absolute: "/etc/hostname",
    link: "link.txt",
    folder: "linked/secret.txt",
  };
  const given: Readonly<Record<string, (path: string) => object>> = {
    apiKeyFile: (apiKeyFile) => ({ apiKeyFile }),
    apiKey: (path) => ({ apiKey: `file:${path}` }),
    headers: (path) => ({ headers: { "X-Theirs": `file:${path}` } }),
  };
  const rows = [
    ...Object.keys(given).map((option) => [option, "above"] as const),
    ...Object.keys(places).map((place) => ["apiKeyFile", place as keyof typeof places] as const),
  ];
  test.each(rows)("%s, %s", async (option, place) => {
    const path = places[place];
    const context = checkout({ baseUrl: "https://fx.example", ...given[option]?.(path) });
    const own = join(context.folder, "..", "secret.txt");
    const outside = testContext().folder;
    writeFileSync(join(outside, "secret.txt"), "secret-of-the-machine");
    symlinkSync(join(outside, "secret.txt"), join(context.folder, "link.txt"));
    symlinkSync(outside, join(context.folder, "linked"));
    writeFileSync(own, "");
    const { FXCONFORM_BASE_URL: _, FXCONFORM_API_KEY: apiKey, ...rest } = job;
    const env = option === "headers" ? { ...rest, FXCONFORM_API_KEY: apiKey } : rest;
    const refused = await context.run("run", env);
    rmSync(own);
    expectRefused(refused, "names a file outside the folder of this configuration file");
    const named = await context.run(`run --config ${name}`, job);
    expect(named.stderr).not.toContain("outside the folder");
  });

  test("and one from inside, through a link too", async () => {
    const context = checkout({ baseUrl: "https://fx.example", apiKeyFile: "link.txt" });
    mkdirSync(join(context.folder, "keys"));
    writeFileSync(join(context.folder, "keys", "key.txt"), "key-inside-01");
    symlinkSync("keys/key.txt", join(context.folder, "link.txt"));
    const { FXCONFORM_BASE_URL: _, FXCONFORM_API_KEY: __, ...env } = job;
    const { started, stderr } = await context.run("run", env);
    expect(started[0]?.target.apiKey, stderr).toBe("key-inside-01");
  });
});

describe("a found file has few powers", () => {
  test.each(["watch", "updateBaseline", "record", "keepValues"])(
    "it does not set %s",
    async (one) => {
      const context = checkout({ [one]: one === "record" ? "run.har" : true });
      const refused = await context.run(one === "keepValues" ? "judge run.har" : "run", job);
      expectRefused(
        refused,
        `${one} in ${name}: is not for a configuration file that nobody named`,
      );
    },
  );

  test.each(["reportDir", "statement", "baseline"])("%s lies in its folder", async (option) => {
    const context = checkout({ [option]: "linked/ours" });
    symlinkSync(testContext().folder, join(context.folder, "linked"));
    expectRefused(await context.run("run", job), "names a file outside the folder of this");
  });

  test("the usual folder of reports is no link", async () => {
    const context = checkout({});
    symlinkSync(testContext().folder, join(context.folder, "fxconform-report"));
    expectRefused(await context.run("run", job), "a link that no option names");
  });
});

test("the first lines name the configuration file, the proxy, and that no certificate is verified", async () => {
  const { FXCONFORM_BASE_URL: baseUrl, ...env } = job;
  const context = checkout({ baseUrl, insecure: true, proxy: "http://u:pw1234@ours.example:3128" });
  for (const command of ["run", "doctor"]) {
    const { stderr } = await context.run(command, env);
    expect(stderr).toContain(
      `Reads ${name}. Requests go through the proxy http://ours.example:3128 (proxy in ${name}). ` +
        `The server's certificate is not verified (insecure in ${name}).\n`,
    );
    expect(stderr).not.toContain("pw1234");
  }
  expect((await testContext().run("run", job)).stderr).not.toMatch(/Reads|proxy|verified/);
});
