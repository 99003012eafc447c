import { expect, test } from "vitest";
import { twiceRows } from "../harness/judging/rules/shown-twice-rows.ts";
import { successes } from "../harness/judging/rules/successes.ts";
import { creations, endpoints } from "../spec/endpoints.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import { refusalRequirements } from "../spec/refusals.ts";

type Rows = readonly { readonly requirement: RequirementId }[];

const idsOf = (rows: Rows): readonly RequirementId[] => [
  ...new Set(rows.map(({ requirement }) => requirement)),
];

/** What each rule decides, by its tables. No other rule decides it. */
const decidedByRules = {
  message: [
    ...(["HTTP-01", "HTTP-02", "HTTP-03", "HTTP-04", "HTTP-06"] as const),
    ...Object.values(endpoints).map(({ errorShape }) => errorShape),
  ],
  members: idsOf(
    Object.values(successes).flatMap(({ status, types, facts }) => [
      ...types,
      ...facts,
      ...(status === undefined ? [] : [status]),
    ]),
  ),
  distinctIds: idsOf(Object.values(creations)),
  concurrency: ["CPTY-11", "OPER-16", "BATCH-07"],
  batchList: ["BATCH-24"],
  shownTwice: idsOf(twiceRows),
} as const;

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
    ...Object.values(decidedByRules).flat(),
    ...refusalRequirements,
    ...judgedWhenSent,
    ...Object.keys(judgedByScenarios),
  ];
  expect(decided.toSorted()).toEqual(requirementIds.toSorted());
});
