import { describe, expect, it } from "vitest";
import { faults } from "./faults/index.ts";
import { hidingVariants, isUndetectable, patternsOf } from "./undetectable.ts";
import { variants } from "./variants/index.ts";

describe("undetectable faults", () => {
  it("are listed by variants that exist", () => {
    const known = variants.map(({ id }) => id);
    expect(hidingVariants.filter((id) => !known.includes(id))).toEqual([]);
  });

  it("are faults that exist", () => {
    const patterns = hidingVariants.flatMap(patternsOf);
    const isKnown = (pattern: string): boolean =>
      faults.some(({ id }) => (pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
    expect(patterns.filter((pattern) => !isKnown(pattern))).toEqual([]);
  });

  it("are listed by id or by the beginning of an id", () => {
    expect(isUndetectable("operation-time-space", "operation-minimal")).toBe(true);
    expect(isUndetectable("operation-batch-absent", "operation-minimal")).toBe(true);
    expect(isUndetectable("operation-status-missing", "operation-minimal")).toBe(false);
    expect(isUndetectable("operation-time-space", "gzip")).toBe(false);
  });
});
