import { expect, test } from "vitest";
import { rules } from "../harness/judging/judge.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import { refusalRequirements } from "../spec/refusals.ts";

/** Requirements that a scenario judges, because no exchange shows them by itself. */
const judgedByScenarios = {
  "HTTP-07": "what is sent over plain HTTP goes to another address than the target's",
  "AUTH-02": "the same key must get a token in another way, or the key is wrong",
  "AUTH-03": "the same key must get a token in another way, or the key is wrong",
  "AUTH-04":
    "a token may lapse or be used up: a refusal counts if one that is fetched and used alone is refused too",
} as const satisfies Partial<Record<RequirementId, string>>;

/**
 * Requirements that are judged where requests are sent: there is no response, or no token works.
 */
const judgedWhenSent: readonly RequirementId[] = ["HTTP-05"];

test("every requirement is decided in one place", () => {
  const decided = [
    ...rules.flatMap(({ decides }) => decides),
    ...refusalRequirements,
    ...judgedWhenSent,
    ...Object.keys(judgedByScenarios),
  ];
  expect(decided.toSorted()).toEqual(requirementIds.toSorted());
});
