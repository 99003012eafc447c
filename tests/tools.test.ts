import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../tools/", import.meta.url));

async function load<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(`${root}${path}`).href)) as Module;
}

const { median, wholeNumber } = await load<{
  median: (numbers: readonly number[]) => number;
  wholeNumber: (text: string) => number;
}>("numbers.mjs");
const { table, withPart } = await load<{
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string;
  withPart: (page: string, name: string, part: string) => string;
}>("documents/markdown.mjs");
const { blindTables, countsText, patientFaultsTable } = await load<{
  blindTables: (classes: object, kept: object) => string;
  countsText: (page: string, faults: readonly unknown[], variants: readonly unknown[]) => string;
  patientFaultsTable: (faults: readonly object[]) => string;
}>("documents/pages.mjs");

test("a median is the middle number, and of two the greater one", () => {
  expect(median([10, 9, 100])).toBe(10);
  expect(median([4, 1, 3, 2])).toBe(3);
  expect(median([])).toBe(0);
});

test("the value of an option is a whole number above 0", () => {
  expect(wholeNumber("12")).toBe(12);
  for (const text of ["0", "-1", "1.5", "1e3", "", " 2", "two"])
    expect(() => wholeNumber(text), text).toThrow("at least 1");
});

describe("parts of a page", () => {
  const page = "# Page\n\n<!-- a -->\n\nold\n\n<!-- /a -->\n\n<!-- b -->\n\nkept\n\n<!-- /b -->\n";

  test("a part replaces what stands between its markers, and nothing else", () => {
    const written = withPart(page, "a", "new");
    expect(written).toBe(page.replace("old", "new"));
    expect(withPart(written, "a", "new")).toBe(written);
  });

  test("a page without the markers is an error, not a page that stays as it is", () => {
    expect(() => withPart(page, "c", "new")).toThrow("<!-- c -->");
    expect(() => withPart("<!-- /a --> <!-- a -->", "a", "new")).toThrow("<!-- /a -->");
  });

  test("a cell with a bar stays one cell", () => {
    expect(table(["id", "what"], [["A-1", "a | b \\ c"]])).toBe(
      "| id | what |\n| --- | --- |\n| A-1 | a \\| b \\\\ c |",
    );
  });
});

describe("tables of docs/sensitivity.md", () => {
  test("the faults that need more samples are listed with what reaches them, and no others", () => {
    const fault = { breaks: "OPER-02", about: "A status is wrong." };
    const patient = { ...fault, id: "patient", needs: { runs: 300 } };
    const rows = patientFaultsTable([{ ...fault, id: "usual" }, patient])
      .split("\n")
      .slice(2);
    expect(rows).toEqual(["| OPER-02 | patient | A status is wrong. | `--runs 300` |"]);
  });

  test("the blind set counts first sight and today apart, and names what is missed today", () => {
    const fault = (id: string) => ({ id, breaks: "OPER-06", about: `${id} is wrong.` });
    const classes = {
      numbers: { faults: [fault("one"), fault("two")], variants: [{ id: "legal" }] },
      dates: { faults: [fault("three")], variants: [] },
    };
    const kept = {
      one: { first: "caught", today: "caught" },
      two: { first: "missed", today: "caught" },
      three: { first: "caught", today: "missed" },
      legal: { first: "blamed", today: "clean" },
    };
    const text = blindTables(classes, kept);
    expect(text).toContain("| numbers | 2 | 1 | 2 | 1 | 0 | 1 |");
    expect(text).toContain("| dates | 1 | 1 | 0 | 0 | 0 | 0 |");
    expect(text).toContain("| all | 3 | 2 | 2 | 1 | 0 | 1 |");
    expect(text.split("\n").at(-1)).toBe("| OPER-06 | three | three is wrong. |");
  });

  test("the page says whether its tables have the whole catalogue", () => {
    const page = "| all  | 2 | 2 |\n\n4 of 4 variants are clean.\n";
    const text = (faults: number, variants: number) =>
      countsText(page, Array.from({ length: faults }), Array.from({ length: variants }));
    expect(text(2, 3)).toContain("the tables have all of them");
    expect(text(3, 3)).toContain("measured with 2 and 3 of them");
    expect(text(2, 4)).toContain("measured with 2 and 3 of them");
    expect(() => countsText("", [], [])).toThrow("no measured counts");
  });
});
