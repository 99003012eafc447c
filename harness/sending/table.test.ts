import { describe, expect, test } from "vitest";
import { invalid, valid, type Fields, type RequestSpec } from "../../model/exchange.ts";
import { responseOf } from "../../model/testing/exchanges.ts";
import { settings } from "../../model/testing/target.ts";
import { type How, throttlingWait, putsOff } from "./attempt.ts";
import type { NetworkFailure } from "../../model/exchange.ts";
import { decide, type Tried } from "./table.ts";
import { kindOf, noFacts, type Facts } from "./facts.ts";
import { tokenRequests } from "./session.ts";

const create: RequestSpec = { operation: "createBatch", intent: valid, body: { currency_pair: "USDBRL" } };
const wrong: RequestSpec = { ...create, intent: invalid("without currency_pair") };
const list: RequestSpec = { operation: "listBatches", intent: valid };
const bad: RequestSpec = { ...list, intent: invalid("with a made-up token"), authorization: "Bearer made-up" };
const badKey: RequestSpec = { operation: "createToken", intent: invalid("with a made-up key"), apiKey: "made-up" };
const [key] = tokenRequests;

/** A status, a status with headers, why there is no response, or a response that was cut short. */
type Outcome = number | readonly [number, ...Fields] | NetworkFailure["kind"] | "cut";

/** An attempt: its outcome, the row that led to it, and what else is special about it. */
type Given = readonly [Outcome, row?: string, more?: Partial<How & Pick<Tried, "at" | "isControl">>];

/** Several attempts, one after the other. */
const after = (...attempts: readonly Given[]): readonly Given[] => attempts;

const triedOf = ([outcome, row = "first", more = {}]: Given): Tried => {
  const isControl = row.endsWith("control");
  const common = {
    sent: { method: "GET", url: "https://fx.example/", headers: [], body: undefined, json: undefined },
    at: 0,
    wait: 0,
    timeout: 1000,
    token: "t",
    isFresh: false,
    isAlone: row.includes("alone") || ["refused token", "lock-out", "incomplete", "conflict"].includes(row),
    row,
    isControl,
  };
  if (typeof outcome === "string" && outcome !== "cut")
    return { ...common, failure: { kind: outcome, message: "no", took: 1 }, ...more };
  const [status, ...headers] = typeof outcome === "number" ? [outcome] : outcome === "cut" ? [200] : outcome;
  const cut = outcome === "cut" ? { defect: { kind: "cut", text: "it ended early" } as const } : {};
  const response = responseOf({ status, headers, json: { message: "no" }, ...cut });
  return { ...common, response, wait: throttlingWait(response, 0), ...more };
};

/** What is decided after these attempts, in short: the row, and what is done. */
const decided = (spec: RequestSpec, given: readonly Given[], facts: Partial<Facts> = {}): string => {
  const step = decide(spec, given.map(triedOf), {
    ...noFacts(settings),
    token: "t",
    ...facts,
  });
  const flags = (["isFresh", "isAlone", "newToken", "forAll", "isLost"] as const).filter((name) =>
    Object.entries(step).some(([key, value]) => key === name && value === true),
  );
  const of = step.kind === "control" ? [step.of] : [];
  const violates = "violates" in step ? [step.violates] : [];
  return `${step.row}: ${[step.kind, ...of, ...violates, ...flags, step.pause ?? []].flat().join(" ")}`;
};

const fresh = { isFresh: true } as const;
const older = { token: "older" } as const;
const alone = { isFresh: true, isAlone: true } as const;
const later = ["Retry-After", "7"] as const;
/** A gateway's error that stays. */
const retried = after([502], ...Array.from({ length: 3 }, (): Given => [502, "gateway error"]));
/** The control gets one too, again and again. */
const outage = after(
  ...retried,
  [502, "gateway control"],
  [502, "gateway burst"],
  [502, "gateway control"],
  [502, "gateway burst"],
  [502, "gateway control"],
);
const worked = { hasTokenWorked: true, hasKeyWorked: true, listLength: 100 } as const;
/** A server whose list is too long for a control. */
const long = { ...worked, listLength: 100_001 } as const;
const provoked = { ...worked, badCredentials: 10 } as const;

describe.each<[string, readonly (readonly [RequestSpec, readonly Given[], string, Partial<Facts>?])[]]>([
  [
    "a response",
    [
      [create, [], "first: again"],
      [create, [[200]], "answered: deliver"],
      [create, [[422]], "answered: deliver"],
      [create, [[500]], "answered: deliver"],
      [create, [], "lost: give up", { lost: "it is gone" }],
      [key, [[401]], "answered: deliver", { token: undefined, hasKeyWorked: true }],
    ],
  ],
  [
    "no response",
    [
      [create, [[408]], "idle connection: again isFresh"],
      [create, [[408, "idle connection", fresh]], "answered: deliver"],
      [create, [["dropped"]], "dropped: again isFresh"],
      [create, [["dropped"], ["dropped", "dropped", fresh]], "incomplete: again isFresh isAlone"],
      [create, [["timeout"]], "incomplete: again isFresh isAlone"],
      [create, [["dropped", "incomplete", alone]], "dropped alone: again isFresh isAlone 100"],
      [
        create,
        after(
          ["dropped", "incomplete", alone],
          ["dropped", "dropped alone", alone],
          ["dropped", "dropped alone", alone],
        ),
        "control: control the target",
      ],
      [create, [["timeout", "incomplete", alone]], "control: control the target"],
      [create, [["timeout", "incomplete", alone]], "control: control the target", { token: undefined }],
      [key, [["timeout", "incomplete", alone]], "control: control the target"],
      [create, after(["timeout", "incomplete", alone], [200, "control"]), "silent: give up HTTP-05"],
      [create, [["timeout"]], "known hang: give up", { hangs: true }],
      [create, [[200]], "answered: deliver", { silences: new Map([["createBatch", 3]]) }],
      [create, [["dropped", "dropped", fresh]], "known hang: give up", { silences: new Map([["createBatch", 3]]) }],
      [create, [], "never answered: give up", { hangs: true, timeouts: new Map([[kindOf(create), 3]]) }],
      [wrong, [], "first: again", { hangs: true, timeouts: new Map([[kindOf(create), 3]]) }],
      [create, [], "first: again", { timeouts: new Map([[kindOf(create), 3]]) }],
    ],
  ],
  [
    "a target that responds to nothing",
    [
      [create, after(["dropped", "dropped alone", alone], ["connect", "control"]), "in trouble: give up"],
      [
        create,
        after(["dropped", "dropped alone", alone], ["connect", "control"]),
        "in trouble: give up isLost",
        { troubles: 2 },
      ],
      [create, after(["timeout", "incomplete", alone], ["timeout", "control"]), "in trouble: give up isLost"],
      [create, after(["cut", "incomplete", alone], ["dropped", "control"]), "in trouble: give up"],
      [
        key,
        after(
          ["connect", "incomplete", alone],
          ["connect", "dropped alone", alone],
          ["connect", "dropped alone", alone],
        ),
        "in trouble: give up",
        { token: undefined },
      ],
    ],
  ],
  [
    "a response that was cut short",
    [
      [create, [["cut"]], "dropped: again isFresh"],
      [create, [["cut", "dropped", fresh]], "incomplete: again isFresh isAlone"],
      [create, [["cut", "incomplete", alone]], "control: control the target"],
      [create, after(["cut", "incomplete", alone], [200, "control"]), "cut: deliver"],
      [create, [["cut", "dropped", fresh]], "known cut: deliver", { cuts: new Map([["createBatch", 3]]) }],
    ],
  ],
  [
    "throttling",
    [
      [create, [[429]], "throttled: again forAll 1000"],
      [create, [[[429, later]]], "throttled: again forAll 7000"],
      [create, [[[429, ["Retry-After", "0"]]]], "throttled: again forAll 200"],
      [create, [[[503, later]]], "throttled: again forAll 7000"],
      [create, [[[403, later]]], "throttled: again forAll 7000"],
      [create, [[[429, ["Retry-After", "30"]]]], "throttled: again forAll 30000"],
      [
        create,
        [[[429, ["Retry-After", "30"]]], [[429, ["Retry-After", "30"]], "throttled"]],
        "throttled: again forAll 30000",
      ],
      [create, [[[429, ["Retry-After", "31"]]]], "throttled too long: give up"],
      [
        create,
        [[[429, ["Retry-After", "30"]]], [[429, ["Retry-After", "30"]], "throttled"], [429, "throttled"]],
        "throttled too long: give up",
      ],
      [create, [[[429, later], "first", { at: 60_000 }]], "throttled by all: give up isLost", { throttledSince: 1 }],
      [create, [[[429, later], "first", { at: 53_000 }]], "throttled: again forAll 7000", { throttledSince: 0 }],
      [create, [[200, "first", { at: 70_000 }]], "answered: deliver", { throttledSince: 0 }],
      [bad, [[[429, later]]], "throttled: again forAll 7000"],
      [bad, [[[429, ["Retry-After", "31"]]]], "put off: give up"],
      [bad, [[429]], "put off: give up", { putOff: new Set(["tokens"]) }],
      [badKey, [[429]], "throttled: again forAll 1000", { putOff: new Set(["tokens"]) }],
      [badKey, [[429]], "put off: give up", { putOff: new Set(["keys"]) }],
    ],
  ],
  [
    "a gateway's error",
    [
      [create, [[502]], "gateway error: again 200"],
      [create, [[503], [504, "gateway error"]], "gateway error: again 800"],
      [create, [[503], [504, "gateway error"], [502, "gateway error"]], "gateway error: again isAlone 1600"],
      [create, retried, "gateway control: control the target"],
      [key, retried, "gateway control: control the target"],
      [create, [...retried, [200, "gateway control"]], "gateway error again: again isAlone"],
      [create, [...retried, [200, "gateway control"], [503, "gateway error again"]], "answered: deliver"],
      [create, [...retried, [200, "gateway control"], [200, "gateway error again"]], "answered: deliver"],
      [create, [...retried, [502, "gateway control"]], "gateway burst: again isAlone 2000"],
      [create, [...retried, [502, "gateway control"], [503, "gateway burst"]], "gateway control: control the target"],
      [create, outage, "gateway in trouble: give up"],
      [create, outage, "gateway in trouble: give up isLost", { outages: 2 }],
      [key, retried, "gateway in trouble: give up", { token: undefined }],
      [create, [[502]], "gateway error: again 200", { gatewayErrors: new Map([["createBatch", 3]]) }],
      [
        create,
        [[502], [502, "gateway error"]],
        "known gateway error: give up",
        { gatewayErrors: new Map([["createBatch", 3]]) },
      ],
      [create, [[501]], "answered: deliver"],
    ],
  ],
  [
    "a conflict",
    [
      [create, [[409]], "conflict: again isAlone 0"],
      [create, [[423]], "conflict: again isAlone 0"],
      [create, [[425]], "conflict: again isAlone 0"],
      [create, [[409], [409, "conflict"]], "conflict: again isAlone 200"],
      [create, [[409], [409, "conflict"], [409, "conflict"], [409, "conflict"]], "answered: deliver"],
      [create, [[409]], "answered: deliver", { conflicts: 3 }],
    ],
  ],
  [
    "a refused token",
    [
      [create, [[401, "first", older]], "older token: again"],
      [create, Array.from({ length: 4 }, () => [401, "older token", older]), "refused token: again newToken"],
      [create, [[401]], "refused token: again newToken"],
      [create, [[403]], "refused token: again newToken"],
      [wrong, [[401]], "token control: control the token", worked],
      [wrong, [[401]], "refused token: again newToken", { ...worked, tokensLapse: true }],
      [wrong, [[401], [401, "refused token"]], "token control: control the token", { ...worked, tokensLapse: true }],
      [create, [[403]], "token control: control the token", worked],
      [create, [[403]], "token control: control the token", { ...worked, listLength: 100_000 }],
      [wrong, [[403]], "refused token: again newToken", { ...long, refusedAnew: new Map([["createBatch", 2]]) }],
      [wrong, [[403]], "refused anew: deliver", { ...long, refusedAnew: new Map([["createBatch", 3]]) }],
      [wrong, [[401]], "refused token: again newToken", { ...long, refusedAnew: new Map([["createBatch", 3]]) }],
      [create, [[403]], "refused token: again newToken", { ...long, refusedAnew: new Map([["createBatch", 3]]) }],
      [create, [[403]], "refused token: again newToken", { ...worked, listLength: 100_001 }],
      [list, [[403]], "refused token: again newToken", worked],
      [create, [[403], [200, "token control"]], "not the token: deliver", worked],
      [create, [[403], [401, "token control"]], "refused token: again newToken", worked],
      [create, [[403], [200, "token control", { token: "another" }]], "refused token: again newToken", worked],
      [create, [[401], [401, "refused token"]], "refused token: again isAlone newToken"],
      [create, [[401], [401, "refused token"], [401, "refused token"]], "refused token: again isAlone newToken"],
      [wrong, [[401], [401, "refused token"], [401, "refused token"]], "answered: deliver"],
      [create, [[403], [403, "refused token"], [403, "refused token"]], "answered: deliver"],
      [
        create,
        [[401], [401, "refused token"], [401, "refused token"], [401, "refused token"]],
        "fresh tokens refused: deliver AUTH-04",
      ],
      [
        create,
        [[401], [401, "refused token"], [401, "refused token"], [401, "refused token"]],
        "fresh tokens refused: deliver AUTH-04",
        { badCredentials: 10 },
      ],
      [bad, [[401, "first", { token: undefined }]], "answered: deliver", worked],
    ],
  ],
  [
    "a lock-out",
    (() => {
      const before: Given[] = [[401], [401, "refused token"], [401, "refused token"], [401, "refused token"]];
      const waits: Given[] = Array.from({ length: 5 }, () => [401, "lock-out"]);
      const keyWaits: Given[] = Array.from({ length: 5 }, () => [401, "key locked out"]);
      return [
        [create, before, "token control: control the token", provoked],
        [create, before, "token control: control the token", { ...worked, refusedTokens: 10 }],
        [create, before, "fresh tokens refused: deliver AUTH-04", { ...worked, refusedTokens: 9 }],
        [create, [...before, [200, "token control"]], "fresh tokens refused: deliver AUTH-04", provoked],
        [create, [...before, [401, "token control"]], "lock-out: again isAlone newToken 1000", provoked],
        [list, before, "lock-out: again isAlone newToken 1000", provoked],
        [list, [...before, [401, "lock-out"]], "lock-out: again isAlone newToken 2000", provoked],
        [list, [...before, ...waits], "locked out: give up", provoked],
        [list, before, "locked out: give up", { ...provoked, isLockedOut: true }],
        [list, before, "locked out: give up", { ...provoked, refusing: new Set(["listBatches"] as const) }],
        [
          create,
          [...before, [401, "token control"]],
          "lock-out: again isAlone newToken 1000",
          { ...provoked, refusing: new Set(["listBatches"] as const) },
        ],
        [list, [...before, ...waits], "fresh tokens refused: deliver AUTH-04", { ...worked, refusedTokens: 10 }],
        [
          list,
          [[403], [403, "refused token"], [403, "refused token"]],
          "lock-out: again isAlone newToken 1000",
          provoked,
        ],
        [key, [[401]], "key locked out: again isAlone 1000", { ...provoked, tokenRequest: key }],
        [key, [[401], ...keyWaits.slice(1)], "key locked out: again isAlone 16000", { ...provoked, tokenRequest: key }],
        [key, [[401], ...keyWaits], "answered: deliver", { ...provoked, tokenRequest: key }],
        [key, [[401]], "answered: deliver", { ...worked, tokenRequest: key }],
        [key, [[401]], "answered: deliver", provoked],
        [key, [[400]], "answered: deliver", { ...provoked, tokenRequest: key }],
      ];
    })(),
  ],
])("%s", (_, rows) => {
  test.each(rows.map((row) => [row[2], row] as const))("%s", (want, [spec, given, , facts]) => {
    expect(decided(spec, given, facts)).toBe(want);
  });
});

test("once the run has taken as long as it may, nothing more is sent (INT-50)", () => {
  const late = { isOutOfTime: true };
  expect(decided(create, [], late)).toBe("out of time: give up");
  expect(decided(create, [[429]], late)).toBe("out of time: give up");
  expect(decided(create, [["timeout", "incomplete", alone]], late)).toBe("out of time: give up");
  expect(decided(create, [[200]], late)).toBe("answered: deliver");
});

test.each<[Given, boolean]>([
  [["dropped"], true],
  [[[429, later]], true],
  [["cut"], true],
  [[502], true],
  [[409], true],
  [[408], true],
  [[408, "idle connection", fresh], false],
  [[200], false],
  [[422], false],
])("%j puts a request off: %s", (given, wanted) => {
  expect(putsOff(triedOf(given))).toBe(wanted);
});

test("a reason says what the server did and what to change", () => {
  const reasonOf = (spec: RequestSpec, given: readonly Given[], facts: Partial<Facts> = {}): string => {
    const step = decide(spec, given.map(triedOf), { ...noFacts(settings), token: "t", ...facts });
    return step.kind === "give up" ? step.reason : step.kind;
  };
  expect(reasonOf(create, [[[429, ["Retry-After", "31"]]]])).toBe(
    "POST /batches was throttled with 429 and a wait of 31 s. Raise the server's limit for this client, or lower --rate and --concurrency.",
  );
  expect(reasonOf(bad, [[[429, ["Retry-After", "31"]]]])).toBe(
    "GET /batches puts bad tokens off with 429. Raise the server's limit of failed attempts for this client.",
  );
  const refused: Given[] = [[401], [401, "refused token"], [401, "refused token"], [401, "refused token"]];
  expect(reasonOf(list, refused, { ...provoked, isLockedOut: true })).toBe(
    'after bad credentials GET /batches refuses new tokens too (401 "no"), as a lock-out does. Raise the server\'s limit of failed attempts for this client.',
  );
  expect(
    reasonOf(create, [
      ["timeout", "incomplete", alone],
      [200, "control"],
    ]),
  ).toBe("POST /batches gave no response: no");
});
