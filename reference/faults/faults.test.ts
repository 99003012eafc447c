import { describe, expect, it } from "vitest";
import { catalogue, isRequirementId, requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import { faults } from "./index.ts";

describe("the table of faults", () => {
  it("has unique ids in kebab case, and a sentence for each", () => {
    const ids = faults.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(faults.filter(({ about }) => !/^\S.*\.$/.test(about))).toEqual([]);
  });

  it("names requirements of the catalogue", () => {
    const named = faults.flatMap(({ breaks, also = [] }) => [breaks, ...also]);
    expect(named.filter((id) => !isRequirementId(id))).toEqual([]);
  });

  it("breaks every requirement", () => {
    const broken = new Set<RequirementId>(faults.map(({ breaks }) => breaks));
    expect(requirementIds.filter((id) => !broken.has(id))).toEqual([]);
  });

  it("has at most 350 rows, and at least two for each MUST", () => {
    expect(faults.length).toBeLessThanOrEqual(350);
    const musts = requirementIds.filter((id) => catalogue[id].level === "MUST");
    const few = musts.filter((id) => faults.filter(({ breaks }) => breaks === id).length < 2);
    expect(few).toEqual([]);
  });

  it("has faults that show only in a state, a sequence, for some values or at the same time", () => {
    const rare = faults.filter(({ when }) => when !== undefined);
    expect(rare.length).toBeGreaterThanOrEqual(36);
  });

  /** Faults that show without another purpose in the configuration. */
  const takesAnyPurpose = new Set(["acam-purpose-by-beginning", "acam-purpose-by-end"]);

  it("needs another purpose if the rule about purposes is broken", () => {
    const unfit = faults.filter(
      ({ id, breaks, needs }) =>
        ["ACAM-03", "ACAM-05"].includes(breaks) && needs?.otherPurposes !== true && !takesAnyPurpose.has(id),
    );
    expect(unfit.map(({ id }) => id)).toEqual([]);
  });

  it("has no SHOULD fault that also breaks a MUST, except CPTY-11", () => {
    const should = faults.filter(({ breaks }) => catalogue[breaks].level === "SHOULD");
    const also = should.flatMap(({ also: others = [] }) => others).filter((id) => catalogue[id].level === "MUST");
    expect(also.every((id) => id === "CPTY-11")).toBe(true);
  });
});
