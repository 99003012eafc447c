import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { flagOf, optionsIn } from "../../settings/options.ts";
import { expectRefused, testContext, type TestContext } from "../testing/test-context.ts";
import { execFileSync, spawn } from "node:child_process";

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
  insecure: { insecure: true },
  allowHttp: { allowHttp: true },
  ca: { ca: "cert.pem" },
  cert: { cert: "whole.pem" },
  key: { cert: "cert.pem", key: "key.pem" },
};

describe("where the address comes from elsewhere, a found file does not decide on the way", () => {
  const decisive = optionsIn("Network", "TLS").filter((option) => option !== "headers");
  test.each(decisive)("%s", async (option) => {
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

describe("a found file takes no secret from elsewhere to an address that it gives", () => {
  test.each<[string, object]>([
    ["apiKey", { apiKey: "env:OTHER" }],
    ["apiKey", { apiKey: "file:.npmrc" }],
    ["apiKeyFile", { apiKeyFile: ".npmrc" }],
    ["headers", { headers: { "X-Tenant": "acme", "X-Theirs": "env:OTHER" } }],
    ["headers", { headers: { "X-Theirs": "file:.npmrc" } }],
    ["headers", { headers: { "X-Theirs": "env:FXCONFORM_API_KEY" } }],
  ])("%s %j", async (option, configuration) => {
    const { FXCONFORM_BASE_URL: baseUrl, FXCONFORM_API_KEY: apiKey, ...rest } = job;
    const env = { ...rest, ...(option === "headers" && { FXCONFORM_API_KEY: apiKey }) };
    const context = checkout({ baseUrl, ...configuration });
    context.file(".npmrc", "secret-of-the-machine");
    const isRefused = (given: Awaited<ReturnType<TestContext["run"]>>): void =>
      expectRefused(
        given,
        `${option} in ${name}: takes a secret from elsewhere`,
        `say that you trust this file: --config ${name}.`,
      );
    for (const command of ["run", "doctor"]) isRefused(await context.run(command, env));
    const ofUser = await context.run(`run --base-url ${baseUrl}`, env);
    if (option === "headers") isRefused(ofUser);
    else expect(ofUser.started, ofUser.stderr).toHaveLength(1);
    const near = await context.run("run --base-url http://localhost:8080", env);
    expect(near.started, near.stderr).toHaveLength(1);
    for (const [command, further] of [
      [`run --config ${name}`, {}],
      ["run", { FXCONFORM_CONFIG: name }],
    ] as const) {
      const named = await context.run(command, { ...env, ...further });
      expect(named.started, named.stderr).toHaveLength(1);
    }
  });

  test.each([{ apiKey: "file:../key.txt" }, { apiKeyFile: "../key.txt" }])(
    "%j is no file below its folder, whatever the address",
    async (configuration) => {
      const { FXCONFORM_API_KEY: _, ...env } = job;
      const context = checkout({ baseUrl: "http://localhost:8080", ...configuration });
      expectRefused(await context.run("run", env), "names a file outside the folder of this");
    },
  );

  test("what the user sets for fxconform goes where it says", async () => {
    const { FXCONFORM_BASE_URL: baseUrl, ...env } = job;
    const context = checkout({ baseUrl, headers: { "X-Tenant": "acme" } });
    const { started, stderr } = await context.run("run", env);
    expect(started[0]?.target, stderr).toMatchObject({ baseUrl, apiKey: job.FXCONFORM_API_KEY });
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
    const elsewhere = testContext();
    elsewhere.file("ours", "DB_PASSWORD: x");
    symlinkSync(elsewhere.folder, join(context.folder, "linked"));
    const refused = await context.run("run", job);
    expectRefused(refused, "names a file outside the folder of this");
    expect(refused.stderr).not.toContain("DB_PASSWORD");
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
