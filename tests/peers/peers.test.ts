import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

const root = fileURLToPath(new URL("../..", import.meta.url));
const reports = join(root, "tests/peers/reports");
const module = (name: string): Promise<unknown> =>
  import(new URL(`../../bench/peers/${name}.mjs`, import.meta.url).href);

const { tools } = (await module("tools")) as { tools: readonly Tool[] };
const { sampleOf } = (await module("sample")) as {
  sampleOf: (all: object, counts: { faults: number; variants: number }, seed: number) => Sample;
};

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
});
