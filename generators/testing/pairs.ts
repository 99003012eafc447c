import { coverageOf } from "../coverage.ts";
import type { Design, Row } from "../covering-array.ts";

/** How many pairs of values a design has, and how many of them occur in these rows. */
export function pairsIn(design: Design, rows: readonly Row[]) {
  const [coverage] = coverageOf(rows.map((row) => ({ kind: "", design, row, status: 200 })));
  return coverage?.pairs ?? { covered: 0, of: 0 };
}
