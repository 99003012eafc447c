import { expect, test } from "vitest";

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
type Parts = Readonly<Record<"measured" | "faults" | "variants", string>>;
const at = (path: string): string => new URL(`../scripts/${path}`, import.meta.url).href;
const { listedIn, partsOf } = (await import(at("sensitivity/page.mjs"))) as {
  readonly partsOf: (now: string, results: readonly Result[], known: Known) => Parts;
  readonly listedIn: (text: string, known: Known) => readonly string[];
};
const { withPart } = (await import(at("documents/marked-part.mjs"))) as {
  readonly withPart: (page: string, name: string, part: string) => string;
};

const fault = (id: string, failed: readonly string[], also: readonly string[] = [], seed = 1): Result => ({
  job: { id, kind: "fault", seed, breaks: "OPER-01", also },
  outcome: "nonconformant",
  requests: 100,
  failed,
  warned: [],
  reasons: {},
  // The recording of the run shows the same violations as the run.
  watched: { failed, warned: [] },
});
const variant = (id: string, outcome = "conformant", warned: readonly string[] = [], seed = 1): Result => ({
  job: { id, kind: "variant", seed },
  outcome,
  requests: 300,
  failed: [],
  warned,
  watched: { failed: [], warned: [] },
});

const known: Known = {
  faults: [{ id: "a-fault" }, { id: "b-fault" }, { id: "c-fault" }],
  variants: [{ id: "token-jwt" }],
};
const full = [
  variant("reference"),
  variant("token-jwt", "conformant", ["OPER-09"]),
  fault("c-fault", ["OPER-01", "OPER-02"], ["OPER-02"]),
  fault("b-fault", []),
  fault("a-fault", ["OPER-01"]),
];
const empty = ["measured", "seeds", "faults", "variants"].map((name) => `<!-- ${name} --><!-- /${name} -->`).join("\n");
const written = (now: string, parts: Readonly<Record<string, string>>): string =>
  Object.entries(parts).reduce((page, [name, part]) => withPart(page, name, part), now);
const page = written(empty, partsOf(empty, full, known));

test("a full matrix: servers by requirement and family, what is measured over all, and what is missed", () => {
  const parts = partsOf(empty, full, known);
  expect(parts.faults).toContain("| OPER-01 | a-fault, b-fault (missed; unseen), c-fault (also OPER-02) |");
  expect(parts.variants).toContain("| tokens | token-jwt (warns OPER-09) |");
  expect(parts.measured).toContain("| all | 3 | 2 | 2 | 2 |");
  expect(parts.measured).toContain(
    "2 of 2 variants are conformant, the reference server among them; 0 get no verdict.",
  );
  expect(parts.measured).toContain("Requests of a run: 100 in the median, 300 at most.");
});

test("servers that the page lacks or has too many are listed", () => {
  expect(listedIn(page, known)).toEqual([]);
  expect(listedIn(page, { faults: [{ id: "a-fault" }, { id: "d-fault" }], variants: known.variants })).toEqual([
    expect.stringContaining("does not have d-fault") as string,
    "docs/sensitivity.md has b-fault, which no longer exists",
    "docs/sensitivity.md has c-fault, which no longer exists",
  ]);
});
