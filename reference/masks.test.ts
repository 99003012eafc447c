import { describe, expect, it } from "vitest";
import { faults } from "./faults/index.ts";
import { isMasked, maskingVariants, patternsOf } from "./masks.ts";
import { variants } from "./variants/index.ts";

describe("masks", () => {
  it("belong to variants", () => {
    const known = variants.map(({ id }) => id);
    expect(maskingVariants.filter((id) => !known.includes(id))).toEqual([]);
  });

  it("name faults", () => {
    const patterns = maskingVariants.flatMap(patternsOf);
    const isKnown = (pattern: string): boolean =>
      faults.some(({ id }) => (pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
    expect(patterns.filter((pattern) => !isKnown(pattern))).toEqual([]);
  });

  it("cover a fault by its name or its beginning", () => {
    expect(isMasked("operation-time-space", "operation-minimal")).toBe(true);
    expect(isMasked("operation-batch-absent", "operation-minimal")).toBe(true);
    expect(isMasked("operation-status-missing", "operation-minimal")).toBe(false);
    expect(isMasked("operation-time-space", "gzip")).toBe(false);
  });
});
