import { expect, test } from "vitest";
import { format } from "prettier";

interface Result {
  readonly job: {
    readonly id: string;
    readonly kind: "fault" | "variant";
    readonly seed: number;
    readonly breaks?: string;
    readonly also?: readonly string[];
  };
  readonly outcome?: string;
  readonly requests?: number;
  readonly failed?: readonly string[];
  readonly warned?: readonly string[];
  readonly reasons?: Readonly<Record<string, string>>;
  readonly crashed?: string;
  readonly watched?: { readonly failed: readonly string[]; readonly warned: readonly string[] };
}
interface Known {
  readonly faults: readonly { readonly id: string }[];
  readonly variants: readonly { readonly id: string }[];
}
const module = new URL("../scripts/sensitivity/page.mjs", import.meta.url).href;
const { listedIn, pageOf, withResults, withSeeds } = (await import(module)) as {
  readonly pageOf: (results: readonly Result[], now: string) => string;
  readonly withResults: (now: string, results: readonly Result[], known: Known) => string;
  readonly withSeeds: (now: string, results: readonly Result[]) => string;
  readonly listedIn: (text: string, known: Known) => readonly string[];
};

const fault = (id: string, failed: readonly string[], also: readonly string[] = [], seed = 1): Result => ({
  job: { id, kind: "fault", seed, breaks: "OPER-01", also },
  outcome: "nonconformant",
  requests: 100,
  failed,
  warned: [],
  reasons: {},
});
const variant = (id: string, outcome = "conformant", warned: readonly string[] = [], seed = 1): Result => ({
  job: { id, kind: "variant", seed },
  outcome,
  requests: 300,
  failed: [],
  warned,
});

const known: Known = { faults: [{ id: "a-fault" }, { id: "b-fault" }, { id: "c-fault" }], variants: [{ id: "v" }] };
/** The recording of the run shows the same violations as the run. */
const watched = (result: Result): Result => ({ ...result, watched: { failed: result.failed ?? [], warned: [] } });
const full = [
  variant("reference"),
  variant("v", "conformant", ["OPER-09"]),
  fault("c-fault", ["OPER-01", "OPER-02"], ["OPER-02"]),
  fault("b-fault", []),
  fault("a-fault", ["OPER-01"]),
].map(watched);
const formatted = (text: string): Promise<string> => format(text, { parser: "markdown", printWidth: 120 });
const page = await formatted(pageOf(full, ""));

/** The rows of the page, with single spaces between cells. */
const rowsOf = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => (line.startsWith("|") ? [line.replaceAll(/ +/g, " ")] : []));

test("a full matrix is a summary, and a folded row for each server, sorted", () => {
  const rows = rowsOf(page);
  expect(rows).toEqual(
    expect.arrayContaining([
      "| faults caught | 2 of 3 |",
      "| blamed on what they break, where they break it, and nothing else | 2 |",
      "| variants clean, the reference among them | 2 of 2 |",
      "| requests a run, median and most | 100, 300 |",
      "| v | conformant | 300 | 0.0 | OPER-09 | clean |",
    ]),
  );
  expect(rows.filter((row) => row.includes("-fault"))).toEqual([
    "| a-fault | OPER-01 | | caught |",
    "| b-fault | OPER-01 **missed** | | missed |",
    "| c-fault | OPER-01 | OPER-02 | caught |",
  ]);
  expect(rows).toContain("| all | 3 | 2 | 67 % |");
  expect(page).toContain("Variants blamed by watching: none, of 2,");
  expect(page.indexOf("faults caught")).toBeLessThan(page.indexOf("<details>"));
  const open = (text: string): number => text.split("<details>").length - text.split("</details>").length;
  for (const row of ["| a-fault", "| reference"]) expect(open(page.slice(0, page.indexOf(row)))).toBe(1);
  expect(open(page)).toBe(0);
});

test("a fault that is caught with others that it does not break is inexact, a crash is a miss", () => {
  const text = pageOf([fault("a-fault", ["OPER-01", "OPER-02"]), { ...fault("b-fault", []), crashed: "gone" }], "");
  expect(rowsOf(text)).toEqual(
    expect.arrayContaining([
      "| faults caught | 1 of 2 |",
      "| blamed on what they break, where they break it, and nothing else | 0 |",
      "| a-fault | OPER-01 **inexact** | OPER-02 | |",
      "| b-fault | OPER-01 **missed** | | |",
    ]),
  );
});

test("results of some servers replace only their rows and the counts", async () => {
  const text = await formatted(
    withResults(page, [fault("b-fault", ["OPER-01"]), variant("v", "nonconformant")], known),
  );
  // Cells that were not measured again stay.
  const changed = (row: string): boolean => !rowsOf(page).includes(row);
  expect(rowsOf(text).filter(changed)).toEqual([
    "| faults caught | 3 of 3 |",
    "| blamed on what they break, where they break it, and nothing else | 3 |",
    "| variants clean, the reference among them | 1 of 2 |",
    "| b-fault | OPER-01 | | missed |",
    "| v | nonconformant | 300 | 0.0 | | clean |",
  ]);
  expect(rowsOf(text)).toHaveLength(rowsOf(page).length);
});

test("a new server gets a row in its sorted place, and the row of a deleted one is removed", async () => {
  const text = await formatted(
    withResults(page, [fault("bb-fault", ["OPER-01"])], {
      faults: [{ id: "a-fault" }, { id: "bb-fault" }, { id: "c-fault" }],
      variants: [],
    }),
  );
  expect(rowsOf(text).filter((row) => row.includes("-fault"))).toEqual([
    "| a-fault | OPER-01 | | caught |",
    "| bb-fault | OPER-01 | | |",
    "| c-fault | OPER-01 | OPER-02 | caught |",
  ]);
  expect(rowsOf(text)).toContain("| variants clean, the reference among them | 1 of 1 |");
});

test("no results change nothing", async () => {
  expect(await formatted(withResults(page, [], known))).toBe(page);
});

test("seeds are rows of their own, which a full matrix keeps", async () => {
  const seeds = [1, 2].flatMap((seed) => [fault("a-fault", ["OPER-01"], [], seed), variant("v", "partial", [], seed)]);
  const once = await formatted(withSeeds(page, seeds));
  expect(rowsOf(once)).toEqual(expect.arrayContaining(["| 1 faults | 2 | 2 | 2 |", "| v | 2 | 2 | 0 |"]));
  const again = await formatted(withSeeds(once, [variant("v", "conformant", [], 3)]));
  expect(rowsOf(again).filter((row) => /^\| (v|1 faults) \| \d/.test(row))).toEqual([
    "| 1 faults | 2 | 2 | 2 |",
    "| v | 1 | 1 | 1 |",
  ]);
  expect(await formatted(pageOf(full, once))).toBe(once);
});

test("servers that the page lacks or has too many are listed", () => {
  expect(listedIn(page, known)).toEqual([]);
  expect(listedIn(page, { faults: [{ id: "a-fault" }, { id: "d-fault" }], variants: known.variants })).toEqual([
    expect.stringContaining("does not have d-fault") as string,
    "docs/sensitivity.md has b-fault, which no longer exists",
    "docs/sensitivity.md has c-fault, which no longer exists",
  ]);
});
