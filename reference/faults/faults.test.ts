import { describe, expect, it } from "vitest";
import {
  catalogue,
  isRequirementId,
  requirementIds,
  type RequirementId,
} from "../../spec/catalogue.ts";
import { faults, faultsByRequirement, type Fault } from "./index.ts";

const musts = requirementIds.filter((id) => catalogue[id].level === "MUST");

/** The faults of a requirement, without the faults of habits, which stand for no requirement. */
function faultsOf(id: RequirementId): readonly Fault[] {
  return faultsByRequirement.filter(({ breaks }) => breaks === id);
}

/** Where and when a fault shows, as a text. */
function kindOf({ operation, when }: Fault): string {
  return `${operation ?? "anywhere"}, ${when ?? "always"}`;
}

describe("the table of faults", () => {
  it("has unique ids in kebab case, and a sentence for each", () => {
    const ids = faults.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
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

  it("has at least two rows for each MUST", () => {
    expect(musts.filter((id) => faultsOf(id).length < 2)).toEqual([]);
  });

  /** Requirements about a single place and condition: requests at the same time, or plain HTTP. */
  const ofOneKind = new Set<RequirementId>(["CPTY-11", "OPER-16", "BATCH-07", "HTTP-07"]);

  it("has two faults for each MUST that differ in their endpoint or their condition", () => {
    const alike = musts.filter((id) => new Set(faultsOf(id).map(kindOf)).size < 2);
    expect(alike.filter((id) => !ofOneKind.has(id))).toEqual([]);
  });

  /** A requirement that has to do with no state, no sequence and no values. */
  const unconditional = new Set<RequirementId>(["HTTP-07"]);

  it("has a fault for each MUST that shows only under a condition, where one is conceivable", () => {
    const plain = musts.filter((id) => faultsOf(id).every(({ when }) => when === undefined));
    expect(plain.filter((id) => !unconditional.has(id))).toEqual([]);
  });

  /** Faults that show even if the configuration names no other purpose. */
  const takesAnyPurpose = new Set([
    "acam-purpose-by-beginning",
    "acam-purpose-by-end",
    "acam-purpose-part-of-efx",
  ]);

  it("needs another purpose if the rule about purposes is broken", () => {
    const unfit = faults.filter(
      ({ id, breaks, needs }) =>
        ["ACAM-03", "ACAM-05"].includes(breaks) &&
        needs?.otherPurposes !== true &&
        !takesAnyPurpose.has(id),
    );
    expect(unfit.map(({ id }) => id)).toEqual([]);
  });

  it("has no SHOULD fault that also breaks a MUST, except CPTY-11", () => {
    const wrong = faults.filter(({ breaks, also = [] }) => {
      const broken = also.filter((id) => catalogue[id].level === "MUST" && id !== "CPTY-11");
      return catalogue[breaks].level === "SHOULD" && broken.length > 0;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});
