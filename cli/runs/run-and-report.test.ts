import { quietText } from "../../reports/console.ts";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { renderers as realRenderers } from "../../reports/index.ts";
import { runs } from "../../reports/testing/runs.ts";
import { disk } from "../../reports/saving.ts";
import { local, testContext, type Engine } from "../testing/test-context.ts";

function answering(outcome: keyof typeof runs): Engine {
  return () => Promise.resolve(runs[outcome]);
}

const few = `${local} --reports json,junit,markdown`;

afterEach(() => void vi.restoreAllMocks());

test.each([
  ["conformant", 0],
  ["nonconformant", 1],
  ["error", 4],
] as const)(
  "a run that is %s ends with %i, its reports written, the gate last",
  async (outcome, code) => {
    const { run, folder, read, reports } = testContext(answering(outcome));
    const result = await run(`run ${few}`);
    expect(result.code).toBe(code);
    const lines = result.stdout.trimEnd().split("\n");
    expect(lines.at(-2)).toContain(outcome);
    expect(lines.at(-1)).toMatch(code === 0 ? /^✓ The gate passes\.$/ : /^[^✓] The gate fails/);
    expect(reports()).toEqual(["junit.xml", "report.json", "summary.md"]);
    expect(JSON.parse(read("report.json"))).toMatchObject({ outcome });
    expect(readdirSync(folder).some((name) => name.startsWith("fxconform-error-"))).toBe(
      outcome === "error",
    );
  },
);

test("what breaks in the engine ends with 4 and a file without secrets", async () => {
  const { run, folder, reports } = testContext(() =>
    Promise.reject(new Error("the worker died at key-0123456789")),
  );
  const { code, stdout, stderr } = await run(`run ${few}`);
  expect(code).toBe(4);
  expect(stdout).toBe("");
  expect(stderr).toContain("internal error, no verdict: the worker died at [API key]");
  const file = readFileSync(join(folder, "fxconform-error-2030-01-01T00-00-00-000Z.txt"), "utf8");
  expect(file).toContain("run-and-report.test.ts");
  expect(file).toContain('"baseUrl": "https://localhost:4010"');
  expect(file).not.toContain("key-0123456789");
  expect(reports()).toEqual([]);
});

test("a report that cannot be made ends with 4 and costs the others and the result nothing", async () => {
  const broken = (cause: string) => () => {
    throw new Error(`${cause} key-0123456789`);
  };
  const renderers = {
    ...realRenderers,
    html: { ...realRenderers.html, render: broken("no page") },
    junit: { ...realRenderers.junit, render: broken("no tests") },
  };
  const { run, folder, read, reports } = testContext(answering("conformant"), {
    renderers: () => Promise.resolve(renderers),
  });
  mkdirSync(join(folder, "fxconform-report"));
  const earlier = `<!doctype html>\n<meta name="generator" content="fxconform 0.1.0">`;
  writeFileSync(join(folder, "fxconform-report", "report.html"), earlier);
  const { code, stdout, stderr } = await run(`run ${local} --reports html,junit,markdown,json`);
  expect(code).toBe(4);
  expect(stdout).toContain("conformant");
  expect(stderr).toContain("Reports in");
  expect(stderr).toContain("report.html could not be made: no page [API key]");
  expect(stderr).toContain("junit.xml could not be made: no tests [API key]");
  expect(reports()).toEqual(["report.html", "report.json", "summary.md"]);
  expect(read("report.html")).toBe(earlier);
  const file = readFileSync(join(folder, "fxconform-error-2030-01-01T00-00-00-000Z.txt"), "utf8");
  expect(file).toContain("caused by Error: no page");
  expect(file).not.toContain("key-0123456789");
});

test("an artefact that holds the key is not written", async () => {
  const spelling = Buffer.from("key-0123456789").toString("base64");
  const leaky = {
    ...runs.conformant,
    created: [{ kind: "batch", id: spelling }] as const,
    warnings: [],
  };
  const { run, reports } = testContext(() => Promise.resolve(leaky));
  const { code, stdout, stderr } = await run(`run ${few}`);
  expect(code).toBe(4);
  expect(stderr).toContain("report.json is not written: a secret was found in it");
  expect(reports()).toContain("junit.xml");
  expect(reports()).not.toContain("report.json");
  expect(stdout).not.toContain(spelling);
});

test("a full disk leaves the earlier reports as they were", async () => {
  const { run, read, reports } = testContext();
  await run(`run ${few}`);
  const before = read("report.json");
  const write = disk.write;
  vi.spyOn(disk, "write").mockImplementation((path, text) => {
    if (path.includes("summary")) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    write(path, text);
  });
  const { code, stderr, stdout } = await run(`run ${few} --seed 5`);
  expect(code).toBe(4);
  expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
    "✓ The gate passes.",
    expect.stringMatching(
      /^! Exit code 4, as not everything is written: The reports could not be .*ENOSPC/,
    ),
  ]);
  const json = await run(`run ${few} --json`);
  expect(JSON.parse(json.stdout)).toMatchObject({
    exitCode: 4,
    notWritten: [expect.stringContaining("could not be written")],
  });
  expect((await run(`run ${few} --quiet`)).stdout).toMatch(
    /^! https:\/\/\S+: The reports could not be written to .*ENOSPC.* The server conforms: .*\.\n$/,
  );
  expect(stderr).toContain("(ENOSPC). Earlier reports there are untouched.");
  expect(stdout).toContain("conformant");
  expect(read("report.json")).toBe(before);
  expect(reports()).toEqual(["junit.xml", "report.json", "summary.md"]);
});

test("the first signal ends the run and keeps the reports, a second one ends at once", async () => {
  let begun = (): void => undefined;
  const isUnderWay = new Promise<void>((done) => (begun = done));
  const stopped: Engine = (_, control) =>
    new Promise((done) => {
      begun();
      control?.signal?.addEventListener("abort", () =>
        setTimeout(() => done(runs.interrupted), 20),
      );
    });
  const { run, read, interrupt } = testContext(stopped);
  const running = run(`run ${few}`);
  await isUnderWay;
  interrupt();
  interrupt();
  const { code, exits, stderr } = await running;
  expect(code).toBe(130);
  expect(exits).toEqual([130]);
  expect(stderr).toContain("Interrupted: writing the reports.");
  expect(JSON.parse(read("report.json"))).toMatchObject({ outcome: "interrupted" });
});

describe("what --quiet and --json leave", () => {
  test.each([
    ["conformant", 0],
    ["interrupted", 130],
  ] as const)(
    "of a run that is %s: one line, or a line of JSON, and nothing else",
    async (outcome, code) => {
      const { run } = testContext((_, control) => {
        control?.onStep?.({ step: "name", ok: true, found: "localhost is ::1" });
        return Promise.resolve(runs[outcome]);
      });
      expect(await run(`run ${few} --quiet`)).toMatchObject({
        code,
        stdout: `${quietText(runs[outcome])}\n`,
        stderr: "",
      });
      const {
        stdout,
        stderr,
        code: same,
      } = await run(`run ${few} --json`, { GITHUB_STEP_SUMMARY: "/nowhere/at/all" });
      expect([same, stderr, stdout.split("\n").length]).toEqual([code, "", 2]);
      expect(JSON.parse(stdout)).toMatchObject({
        outcome,
        exitCode: code,
        gate: { pass: code === 0 },
        requests: runs[outcome].requests,
      });
    },
  );
});
