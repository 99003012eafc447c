import { describe, expect, test } from "vitest";
import { expectRefused, local, testContext } from "../../testing/test-context.ts";

const file = `
profile: smoke
runs: 3
apiKey: env:COMMON_KEY
targets:
  sandbox: { baseUrl: "https://sandbox.fx.example", apiKey: "env:SANDBOX_KEY", runs: 7 }
  production: { baseUrl: "https://fx.example", apiKey: "file:./production.txt" }
`;
const env = { SANDBOX_KEY: "sandbox-key-01234", COMMON_KEY: "common-key-01234" };

const contextWith = (text: string) => {
  const context = testContext();
  context.file("fxconform.config.yaml", text);
  context.file("production.txt", "production-key-01234\n");
  return context;
};

describe("--target", () => {
  test.each([
    ["sandbox", "https://sandbox.fx.example", "sandbox-key-01234", 7],
    ["production", "https://fx.example", "production-key-01234", 3],
  ])(
    "%s: what the target sets wins over the rest of the file, whose other options hold",
    async (name, baseUrl, apiKey, runs) => {
      const { run } = contextWith(file);
      const { started, code, stderr } = await run(`run --target ${name}`, env);
      expect([code, started[0]?.target, started[0]?.settings]).toMatchObject([
        0,
        { name, baseUrl, apiKey },
        { runs, profile: "smoke" },
      ]);
      expect(stderr).not.toContain("keep the key out");
    },
  );

  test("can be a variable or stand in the file; flags and variables win over what the target sets", async () => {
    const { run } = contextWith(`${file}target: production\n`);
    expect((await run("run", env)).started[0]?.target.name).toBe("production");
    const { started } = await run("run --runs 9", {
      ...env,
      FXCONFORM_TARGET: "sandbox",
      FXCONFORM_API_KEY: "key-0123456",
    });
    expect(started[0]).toMatchObject({ target: { name: "sandbox", apiKey: "key-0123456" }, settings: { runs: 9 } });
  });

  test("a variable that decides how the target is reached in place of the target is a warning", async () => {
    const { run } = contextWith(`${file}  other: { apiKeyFile: ./production.txt, runs: 2 }\n`);
    const key = { ...env, FXCONFORM_API_KEY: "key-0123456" };
    const { stderr } = await run("run --target sandbox", { ...key, FXCONFORM_RUNS: "9" });
    expect(stderr).toContain(
      "Warning: FXCONFORM_API_KEY is used in place of apiKey of the target sandbox in fxconform.config.yaml. Unset it",
    );
    expect(stderr).not.toContain("FXCONFORM_RUNS");
    const other = { ...key, FXCONFORM_BASE_URL: "https://other.example" };
    expect((await run("run --target other", other)).stderr).toMatch(
      /Warning: FXCONFORM_API_KEY is used in place of apiKeyFile of the target other[^\n]*\n(?!.*is used in place)/s,
    );
    for (const words of ["run --target sandbox --api-key key-0123456", "run --target other --profile smoke"]) {
      const quiet = words.includes("other") ? { ...env, FXCONFORM_BASE_URL: "https://other.example" } : key;
      expect((await run(words, quiet)).stderr).not.toContain("is used in place");
    }
  });

  test.each([
    [
      file,
      "run --target sandbx",
      ["--target: names no target", "Did you mean sandbox? The targets are sandbox, production."],
    ],
    [file, "run --target toString", ["--target: names no target", "The targets are sandbox, production."]],
    ["profile: smoke", `run ${local} --target sandbox`, ["names no target", "Add targets to the configuration file"]],
    ["targets: [a]", `run ${local}`, ["targets in fxconform.config.yaml: must be an object of options"]],
    ["targets: { a: b }", `run ${local}`, ["the target a in fxconform.config.yaml: must be an object of options"]],
    [
      "targets: { a: { baseURL: x } }",
      `run ${local}`,
      ["baseURL in the target a in fxconform.config.yaml: is not an option. Did you mean baseUrl?"],
    ],
    [
      "targets: { a: { target: a } }",
      `run ${local}`,
      ["target of the target a in fxconform.config.yaml: is not an option there"],
    ],
    [
      "targets: { a: { runs: many } }",
      `run ${local} --target a`,
      ["runs of the target a in fxconform.config.yaml: must be"],
    ],
    [
      "targets: { a: { apiKey: 'env:NOWHERE' } }",
      "run --base-url https://localhost --customer-id c --target a",
      ["names the variable NOWHERE, which is not set"],
    ],
  ])("%s, %s is refused", async (text, argv, says) => {
    const { run } = contextWith(text);
    const result = await run(argv, env);
    expectRefused(result, ...says);
    expect(result.stderr).not.toContain("key-01234 ");
  });
});
