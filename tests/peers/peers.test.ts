import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { faults } from "../../reference/faults/index.ts";
import { variants } from "../../reference/variants/index.ts";

interface Report {
  readonly failures: readonly string[];
  readonly warnings?: readonly string[];
}
interface Tool {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly install: {
    readonly npm?: readonly string[];
    readonly pip?: readonly string[];
  };
  readonly limit?: number;
  readonly command?: (context: object) => unknown;
  readonly read?: (folder: string, ended: { readonly output: string }) => Report;
}
interface Sample {
  readonly faults: readonly { readonly id: string; readonly breaks: string; readonly needs?: object }[];
  readonly variants: readonly { readonly id: string; readonly needs?: object }[];
}
interface Row extends Report {
  readonly kind: string;
  readonly id: string;
  readonly timedOut: boolean;
  readonly warnings: readonly string[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const reports = join(root, "tests/peers/reports");
const module = (name: string): Promise<unknown> =>
  import(new URL(`../../bench/peers/${name}.mjs`, import.meta.url).href);

const { tools } = (await module("tools")) as { tools: readonly Tool[] };
const { sampleOf } = (await module("sample")) as {
  sampleOf: (all: object, counts: { faults: number; variants: number }, seed: number) => Sample;
};
const { compared, measureTool } = (await module("measure")) as {
  compared: (row: Row, known: ReadonlySet<string>) => Row;
  measureTool: (tool: object, options: object) => Promise<{ readonly skipped?: string }>;
};
const { outcomeOf } = (await module("page")) as { outcomeOf: (row: Row) => string };
const { optionsOf } = (await module("options")) as {
  optionsOf: (
    words: readonly string[],
    ids: readonly string[],
  ) => { readonly only: readonly string[]; readonly isWhole: boolean };
};
const { runLimited } = (await module("process")) as {
  runLimited: (
    command: string,
    args: readonly string[],
    options: { readonly limit: number },
  ) => Promise<{ readonly timedOut: boolean; readonly ms: number; readonly output: string }>;
};

describe("the table of tools", () => {
  const dependencies = Object.keys(
    (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { devDependencies: object }).devDependencies,
  );

  test.each(tools)("$id is complete", ({ id, name, install, limit, command, read }) => {
    expect(name).not.toBe("");
    const packages = [...(install.npm ?? []), ...(install.pip ?? [])];
    expect(limit).toBeLessThanOrEqual(120);
    expect(command).toBeTypeOf("function");
    expect(read).toBeTypeOf("function");
    if (id !== "fxconform") expect(packages).not.toEqual([]);
    for (const one of packages) {
      expect(one).toMatch(/^.+(@|==)\d+\.\d+\.\d+$/);
      expect(dependencies).not.toContain(one.replace(/(@|==)[\d.]+$/, ""));
    }
  });

  test("shows the versions that are installed", () => {
    for (const { version, install } of tools)
      for (const one of version.split(", ").filter(() => install.npm ?? install.pip))
        expect([...(install.npm ?? []), ...(install.pip ?? [])].join(" ")).toContain(one);
  });
});

describe("the sample", () => {
  const all = { faults, variants };
  const sample = sampleOf(all, { faults: 60, variants: 40 }, 1);
  const idsOf = ({ faults: some, variants: others }: Sample) => [...some, ...others].map(({ id }) => id);

  test("has as many as it should, each once, and as many faults of each area", () => {
    expect([sample.faults.length, sample.variants.length, new Set(idsOf(sample)).size]).toEqual([60, 40, 100]);
    const areas = sample.faults.map(({ breaks }) => breaks.split("-")[0]);
    for (const area of ["AUTH", "CPTY", "OPER", "ACAM", "BATCH", "HTTP"])
      expect(areas.filter((one) => one === area)).toHaveLength(10);
  });

  test("has nothing that needs settings of its own", () => {
    for (const { needs } of [...sample.faults, ...sample.variants]) expect(needs).toBeUndefined();
  });

  test("depends only on the seed", () => {
    expect(idsOf(sampleOf(all, { faults: 60, variants: 40 }, 1))).toEqual(idsOf(sample));
    expect(idsOf(sampleOf(all, { faults: 60, variants: 40 }, 2))).not.toEqual(idsOf(sample));
    expect(idsOf(sampleOf(all, { faults: 3, variants: 2 }, 1))).toHaveLength(5);
  });
});

describe("reports", () => {
  /** The failures that each tool reported about one faulty server. */
  const expected: Readonly<Record<string, Report>> = {
    fxconform: { failures: ["BATCH-04"], warnings: [] },
    schemathesis: { failures: ["ST108 POST /batches"], warnings: ['missing_auth "POST /auth/token"'] },
    specmatic: {
      failures: [
        "+ve  Scenario: POST /batches -> 201 with the request from the example 'batch' where REQUEST.BODY contains all the keys AND the key currency_pair is set to 'EURBRL' from enum",
      ],
    },
    portman: { failures: ["Create a batch: [POST]::/batches - Schema is valid"] },
  };

  test.each(tools.filter(({ read }) => read !== undefined))("of $id are read", ({ id, read }) => {
    const folder = join(reports, id);
    expect(read?.(folder, { output: "" })).toEqual(expected[id]);
  });

  test.each(tools.filter(({ read }) => read !== undefined))("of $id that are missing throw", ({ read }) => {
    expect(() => read?.(join(reports, "none"), { output: "Error: connect ECONNREFUSED" })).toThrow(/./);
  });

  test("count for what the plain server does not get", () => {
    const row = { kind: "fault", id: "a", timedOut: false, failures: ["old", "new"], warnings: ["old warning"] };
    expect(compared(row, new Set(["old", "old warning"]))).toMatchObject({ failures: ["new"], warnings: [] });
  });

  test("become outcomes", () => {
    const row = { kind: "fault", id: "a", timedOut: false, failures: [], warnings: [] };
    expect(outcomeOf(row)).toBe("missed");
    expect(outcomeOf({ ...row, warnings: ["a"] })).toBe("caught");
    expect(outcomeOf({ ...row, timedOut: true })).toBe("cut off");
    expect(outcomeOf({ ...row, kind: "variant" })).toBe("clean");
    expect(outcomeOf({ ...row, kind: "variant", warnings: ["a"] })).toBe("warned");
    expect(outcomeOf({ ...row, kind: "variant", failures: ["a"], warnings: ["a"] })).toBe("blamed");
  });
});

test("a program that hangs is killed in time, with its child processes", { tags: "ps" }, async () => {
  const { timedOut, ms, output } = await runLimited("sh", ["-c", "sleep 60 & echo $!; sleep 60"], { limit: 300 });
  expect(timedOut).toBe(true);
  expect(ms).toBeLessThan(20_000);
  const started = Number(output);
  expect(started).toBeGreaterThan(0);
  await expect.poll(() => stateOf(started), { timeout: 10_000 }).toMatch(/^(gone|Z)$/);
});

test("a tool that gives no report on the plain server is skipped with the reason", async () => {
  const tool = {
    id: "fake",
    limit: 20,
    command: () => ({ command: "sh", args: ["-c", "echo broken; exit 7"] }),
    read: () => {
      throw new Error("no report");
    },
  };
  const sample = { faults: [], variants: [] };
  const options = { sample, seed: 1, processes: 2, cache: tmpdir(), onRow: () => undefined };
  expect(await measureTool(tool, options)).toEqual({
    skipped: "gives no report on the plain server: exit code 7: broken",
  });
});

describe("options", () => {
  const ids = ["one", "two"];

  test.each([
    [[], ids, true],
    [["--only", "two"], ["two"], true],
    [["--sample", "5,5"], ids, false],
    [["--seed", "2"], ids, false],
  ])("%j measure %j; the page is written: %s", (words, only, isWhole) => {
    expect(optionsOf(words, ids)).toMatchObject({ only, isWhole });
  });

  test.each([
    [["--only", "three"], "there is no tool three"],
    [["--sample", "many"], "--sample needs two numbers"],
    [["--seed", "0"], "--seed needs a whole number"],
    [["--processes", "x"], "--processes needs a whole number"],
    [["--fast"], "--fast"],
  ])("%j are refused", (args, words) => {
    expect(() => optionsOf(args, ids)).toThrow(words);
  });
});

/** `Z` is the state of a zombie process. */
const stateOf = (pid: number): Promise<string> =>
  promisify(execFile)("ps", ["-o", "stat=", "-p", String(pid)]).then(
    ({ stdout }) => stdout.trim().slice(0, 1),
    () => "gone",
  );
