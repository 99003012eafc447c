import { describe, expect, it } from "vitest";
import { faults } from "./faults/index.ts";
import { hidingVariants, isUndetectable, patternsOf } from "./undetectable.ts";
import { variants } from "./variants/index.ts";

describe("undetectable faults", () => {
  it("are faults that exist, listed by variants that exist", () => {
    const known = variants.map(({ id }) => id);
    expect(hidingVariants.filter((id) => !known.includes(id))).toEqual([]);
    const isKnown = (pattern: string): boolean =>
      faults.some(({ id }) => (pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
    expect(hidingVariants.flatMap(patternsOf).filter((pattern) => !isKnown(pattern))).toEqual([]);
  });

  it.each([
    ["operation-time-space", "operation-minimal", true],
    ["operation-batch-absent", "operation-minimal", true],
    ["operation-status-missing", "operation-minimal", false],
    ["operation-time-space", "gzip", false],
  ])("%s on %s", (fault, variant, expected) => {
    expect(isUndetectable(fault, variant)).toBe(expected);
  });
});
