import { describe, expect, test } from "vitest";
import { invalid, unusual, valid, type Fields, type RequestSpec } from "../../model/request.ts";
import { responseOf } from "../../model/testing/exchanges.ts";
import { settings } from "../../model/testing/target.ts";
import { type AttemptOptions, type Sign, signOf, throttlingWait } from "./attempt.ts";
import type { NetworkFailure } from "../../model/exchange.ts";
import { noFacts, type SendingFacts } from "./facts.ts";
import { stepAfter } from "./rows.ts";
import { tokenRequests } from "./session.ts";
import type { Step, TriedAttempt } from "./step.ts";

const create: RequestSpec = {
  operation: "createBatch",
  intent: valid,
  body: { currency_pair: "USDBRL" },
};
const wrong: RequestSpec = { ...create, intent: invalid("without currency_pair") };
const list: RequestSpec = { operation: "listBatches", intent: valid };
const bad: RequestSpec = {
  ...list,
  intent: invalid("with a made-up token"),
  authorization: "Bearer made-up",
};
const head: RequestSpec = { ...list, intent: unusual("with the method HEAD"), method: "HEAD" };
const badKey: RequestSpec = {
  operation: "createToken",
  intent: invalid("with a made-up key"),
  apiKey: "made-up",
};
const [key] = tokenRequests;

/**
 * The outcome of an attempt: a status, a status with headers, a reason for no response, or a
 * response that was cut short.
 */
type Outcome = number | readonly [number, ...Fields] | NetworkFailure["kind"] | "cut";

/** An attempt: its outcome, the row that led to it, and what is special about it. */
type Given = readonly [
  Outcome,
  row?: string,
  more?: Partial<AttemptOptions & Pick<TriedAttempt, "at" | "isControl">>,
];

/** Several attempts, one after the other. */
const after = (...attempts: readonly Given[]): readonly Given[] => attempts;

function triedOf([outcome, row = "first", more = {}]: Given): TriedAttempt {
  const common = {
    sent: {
      method: "GET",
      url: "https://fx.example/",
      headers: [],
      body: undefined,
      json: undefined,
    },
    at: 0,
    wait: 0,
    timeout: 1000,
    token: "t",
    isFresh: false,
    isAlone:
      row.includes("alone") ||
      ["refused token", "lock-out", "incomplete", "conflict"].includes(row),
    row: { id: row, ends: undefined },
    isControl: row.endsWith("control"),
    ...more,
  };
  const signed = (one: Omit<TriedAttempt, "sign">): TriedAttempt =>
    Object.assign(one, { sign: signOf(one as TriedAttempt) }) as TriedAttempt;
  if (typeof outcome === "string" && outcome !== "cut")
    return signed({ ...common, failure: { kind: outcome, message: "no", took: 1 } });
  const whole = outcome === "cut" ? 200 : outcome;
  const [status, ...headers] = typeof whole === "number" ? [whole] : whole;
  const cut = outcome === "cut" ? { defect: { kind: "cut", text: "it ended early" } as const } : {};
  const response = responseOf({ status, headers, json: { message: "no" }, ...cut });
  return signed({ ...common, wait: throttlingWait(response, 0), response });
}

function stepOf(spec: RequestSpec, given: readonly Given[], facts: Partial<SendingFacts> = {}) {
  return stepAfter({ spec }, given.map(triedOf), { ...noFacts(settings), token: "t", ...facts });
}

/** The decision after these attempts, in short: the row, and what it does. */
function decided(
  spec: RequestSpec,
  given: readonly Given[],
  facts: Partial<SendingFacts> = {},
): string {
  const { row, step } = stepOf(spec, given, facts);
  return [`${row.id}:`, kindOfStep(step), ...flagsOf(step), ...pauseOf(step)].join(" ");
}

function kindOfStep(step: Step): string {
  return step.kind === "send" && step.other !== undefined
    ? `send ${step.other.operation}`
    : step.kind;
}

function flagsOf(step: Step): readonly string[] {
  return [
    ...(step.judgements ?? []).map(({ requirement }) => requirement),
    ...["isFresh", "isAlone", "newToken", "forAll", "isLost"].filter((name) =>
      Object.entries(step).some(([key, value]) => key === name && value === true),
    ),
  ];
}

function pauseOf(step: Step): readonly number[] {
  return step.kind === "send" && step.pause !== undefined ? [step.pause] : [];
}

const fresh = { isFresh: true } as const;
const older = { token: "older" } as const;
const alone = { isFresh: true, isAlone: true } as const;
const later = ["Retry-After", "7"] as const;
/** The error of a gateway, which stays. */
const retried = after([502], ...Array.from({ length: 3 }, (): Given => [502, "gateway error"]));
/** An outage: the control also gets the error of a gateway, again and again. */
const outage = after(
  ...retried,
  [502, "gateway control"],
  [502, "gateway burst"],
  [502, "gateway control"],
  [502, "gateway burst"],
  [502, "gateway control"],
);
const worked = { hasTokenWorked: true, hasKeyWorked: true, listLength: 100 } as const;
/** What is known of a server whose list is too long for a control. */
const long = { ...worked, listLength: 100_001 } as const;
/** What is known of a server that refused three invalid batches with 403 and accepts the token. */
const known: Partial<SendingFacts> = {
  ...worked,
  refusedAnew: new Map([["createBatch", 3]]),
  accepted: { token: "t", uncontrolled: 0 },
};
const provoked = { ...worked, badCredentials: 10 } as const;

describe.each<
  [string, readonly (readonly [RequestSpec, readonly Given[], string, Partial<SendingFacts>?])[]]
>([
  [
    "a response",
    [
      [create, [], "first: send"],
      [create, [[200]], "answered: counts"],
      [create, [[422]], "answered: counts"],
      [create, [[500]], "answered: counts"],
      [key, [[401]], "answered: counts", { token: undefined, hasKeyWorked: true }],
    ],
  ],
  [
    "no response",
    [
      [create, [[408]], "idle connection: send isFresh"],
      [create, [[408, "idle connection", fresh]], "idle connection: send isFresh isAlone"],
      [create, [[408, "idle connection", alone]], "answered: counts"],
      [create, [["dropped"]], "dropped: send isFresh"],
      [create, [["dropped"], ["dropped", "dropped", fresh]], "incomplete: send isFresh isAlone"],
      [create, [["timeout"]], "incomplete: send isFresh isAlone"],
      [create, [["dropped", "incomplete", alone]], "dropped alone: send isFresh isAlone 100"],
      [
        create,
        after(
          ["dropped", "incomplete", alone],
          ["dropped", "dropped alone", alone],
          ["dropped", "dropped alone", alone],
        ),
        "control: send createToken isFresh",
      ],
      [create, [["timeout", "incomplete", alone]], "control: send createToken isFresh"],
      [
        create,
        [["timeout", "incomplete", alone]],
        "control: send createToken isFresh",
        { token: undefined },
      ],
      [key, [["timeout", "incomplete", alone]], "control: send listBatches isFresh"],
      [create, after(["timeout", "incomplete", alone], [200, "control"]), "silent: stop HTTP-05"],
      [
        create,
        after(["timeout", "incomplete", alone], [200, "control"]),
        "slow to all: stop",
        { recent: [20, 501], timeout: 1000 },
      ],
      [
        create,
        after(["timeout", "incomplete", alone], [200, "control"]),
        "silent: stop HTTP-05",
        { recent: [20, 499], timeout: 1000 },
      ],
      [create, [["timeout"]], "known hang: stop", { hangs: true }],
      [create, [[200]], "answered: counts", { silences: new Map([["createBatch", 3]]) }],
      [
        create,
        [["dropped", "dropped", fresh]],
        "known hang: stop",
        { silences: new Map([["createBatch", 3]]) },
      ],
    ],
  ],
  [
    "a target that responds to nothing",
    [
      [
        create,
        after(["dropped", "dropped alone", alone], ["connect", "control"]),
        "in trouble: stop",
      ],
      [
        create,
        after(["dropped", "dropped alone", alone], ["connect", "control"]),
        "in trouble: stop isLost",
        { troubles: 2 },
      ],
      [
        create,
        after(["timeout", "incomplete", alone], ["timeout", "control"]),
        "in trouble: stop isLost",
      ],
      [create, after(["cut", "incomplete", alone], ["dropped", "control"]), "in trouble: stop"],
      [
        key,
        after(
          ["connect", "incomplete", alone],
          ["connect", "dropped alone", alone],
          ["connect", "dropped alone", alone],
        ),
        "in trouble: stop",
        { token: undefined },
      ],
    ],
  ],
  [
    "a response that was cut short",
    [
      [create, [["cut"]], "dropped: send isFresh"],
      [create, [["cut", "dropped", fresh]], "incomplete: send isFresh isAlone"],
      [create, [["cut", "incomplete", alone]], "control: send createToken isFresh"],
      [create, after(["cut", "incomplete", alone], [200, "control"]), "cut: counts"],
      [
        create,
        [["cut", "dropped", fresh]],
        "known cut: counts",
        { cuts: new Map([["createBatch", 3]]) },
      ],
    ],
  ],
  [
    "throttling",
    [
      [create, [[429]], "throttled: send forAll 1000"],
      [create, [[[429, later]]], "throttled: send forAll 7000"],
      [create, [[[429, ["Retry-After", "0"]]]], "throttled: send forAll 200"],
      [create, [[[503, later]]], "throttled: send forAll 7000"],
      [create, [[[403, later]]], "throttled: send forAll 7000"],
      [create, [[[429, ["Retry-After", "30"]]]], "throttled: send forAll 30000"],
      [
        create,
        [[[429, ["Retry-After", "30"]]], [[429, ["Retry-After", "30"]], "throttled"]],
        "throttled: send forAll 30000",
      ],
      [create, [[[429, ["Retry-After", "31"]]]], "throttled too long: stop"],
      [
        create,
        [
          [[429, ["Retry-After", "30"]]],
          [[429, ["Retry-After", "30"]], "throttled"],
          [429, "throttled"],
        ],
        "throttled too long: stop",
      ],
      [
        create,
        [[[429, later], "first", { at: 60_000 }]],
        "throttled: send forAll 7000",
        { throttledSince: 1 },
      ],
      [
        create,
        [[[429, later], "first", { at: 60_000 }]],
        "throttled by all: stop isLost",
        { throttledSince: 1, throttling: new Set(["createBatch", "listBatches"]) },
      ],
      [
        create,
        [[[429, ["Retry-After", "3600"]]]],
        "throttled too long: stop",
        { throttledSince: 0 },
      ],
      [
        create,
        [[429]],
        "throttled too long: stop",
        { throttlingTooLong: new Set(["createBatch"]) },
      ],
      [
        create,
        [[429]],
        "throttled: send forAll 1000",
        { throttlingTooLong: new Set(["createOperation"]) },
      ],
      [
        create,
        [[[429, later], "first", { at: 53_000 }]],
        "throttled: send forAll 7000",
        { throttledSince: 0 },
      ],
      [create, [[200, "first", { at: 70_000 }]], "answered: counts", { throttledSince: 0 }],
      [bad, [[[429, later]]], "throttled: send forAll 7000"],
      [bad, [[[429, ["Retry-After", "31"]]]], "put off: stop"],
      [bad, [[429]], "put off: stop", { putOff: new Set(["tokens"]) }],
      [badKey, [[429]], "throttled: send forAll 1000", { putOff: new Set(["tokens"]) }],
      [badKey, [[429]], "put off: stop", { putOff: new Set(["keys"]) }],
    ],
  ],
  [
    "a gateway's error",
    [
      [create, [[502]], "gateway error: send 200"],
      [create, [[503], [504, "gateway error"]], "gateway error: send 800"],
      [
        create,
        [[503], [504, "gateway error"], [502, "gateway error"]],
        "gateway error: send isAlone 1600",
      ],
      [create, retried, "gateway control: send createToken isFresh"],
      [key, retried, "gateway control: send listBatches isFresh"],
      [create, [...retried, [200, "gateway control"]], "gateway error again: send isAlone"],
      [
        create,
        [...retried, [200, "gateway control"], [503, "gateway error again"]],
        "answered: counts",
      ],
      [
        create,
        [...retried, [200, "gateway control"], [200, "gateway error again"]],
        "answered: counts",
      ],
      [create, [...retried, [502, "gateway control"]], "gateway burst: send isAlone 2000"],
      [
        create,
        [...retried, [502, "gateway control"], [503, "gateway burst"]],
        "gateway control: send createToken isFresh",
      ],
      [create, outage, "gateway in trouble: stop"],
      [create, outage, "gateway in trouble: stop isLost", { outages: 2 }],
      [key, retried, "gateway in trouble: stop", { token: undefined }],
      [
        create,
        [[502]],
        "gateway error: send 200",
        { gatewayErrors: new Map([["createBatch", 3]]) },
      ],
      [
        create,
        [[502], [502, "gateway error"]],
        "known gateway error: stop",
        { gatewayErrors: new Map([["createBatch", 3]]) },
      ],
      [create, [[501]], "answered: counts"],
    ],
  ],
  [
    "a conflict",
    [
      [create, [[409]], "conflict: send isAlone 0"],
      [create, [[423]], "conflict: send isAlone 0"],
      [create, [[425]], "conflict: send isAlone 0"],
      [create, [[409], [409, "conflict"]], "conflict: send isAlone 200"],
      [
        create,
        [[409], [409, "conflict"], [409, "conflict"], [409, "conflict"]],
        "answered: counts",
      ],
      [create, [[409]], "answered: counts", { conflicts: 3 }],
    ],
  ],
  [
    "a refused token",
    [
      [create, [[401, "first", older]], "older token: send"],
      [
        create,
        Array.from({ length: 4 }, () => [401, "older token", older]),
        "refused token: send newToken",
      ],
      [create, [[401]], "refused token: send newToken"],
      [create, [[403]], "refused token: send newToken"],
      [wrong, [[401]], "token control: send listBatches", worked],
      [wrong, [[401]], "refused token: send newToken", { ...worked, tokensLapse: true }],
      [
        wrong,
        [[401], [401, "refused token"]],
        "token control: send listBatches",
        { ...worked, tokensLapse: true },
      ],
      [create, [[403]], "token control: send listBatches", worked],
      [create, [[403]], "token control: send listBatches", { ...worked, listLength: 100_000 }],
      [
        wrong,
        [[403]],
        "refused token: send newToken",
        { ...long, refusedAnew: new Map([["createBatch", 2]]) },
      ],
      [
        wrong,
        [[403]],
        "refused anew: counts",
        { ...long, refusedAnew: new Map([["createBatch", 3]]) },
      ],
      [
        wrong,
        [[401]],
        "refused token: send newToken",
        { ...long, refusedAnew: new Map([["createBatch", 3]]) },
      ],
      [
        create,
        [[403]],
        "refused token: send newToken",
        { ...long, refusedAnew: new Map([["createBatch", 3]]) },
      ],
      [wrong, [[403]], "refused anew: counts", known],
      [
        wrong,
        [[403]],
        "refused anew: counts",
        { ...known, accepted: { token: "t", uncontrolled: 9 } },
      ],
      [
        wrong,
        [[403]],
        "token control: send listBatches",
        { ...known, accepted: { token: "t", uncontrolled: 10 } },
      ],
      [
        wrong,
        [[403]],
        "token control: send listBatches",
        { ...known, accepted: { token: "older", uncontrolled: 0 } },
      ],
      [wrong, [[403]], "token control: send listBatches", { ...known, badCredentials: 1 }],
      [wrong, [[403]], "refused token: send newToken", { ...known, tokensLapse: true }],
      [wrong, [[401]], "token control: send listBatches", known],
      [create, [[403]], "token control: send listBatches", known],
      [wrong, [[403], [403, "token control"]], "refused token: send newToken", known],
      [create, [[403]], "refused token: send newToken", { ...worked, listLength: 100_001 }],
      [list, [[403]], "refused token: send newToken", worked],
      [create, [[403], [200, "token control"]], "not the token: counts", worked],
      [create, [[403], [401, "token control"]], "refused token: send newToken", worked],
      [
        create,
        [[403], [200, "token control", { token: "another" }]],
        "refused token: send newToken",
        worked,
      ],
      [create, [[401], [401, "refused token"]], "refused token: send isAlone newToken"],
      [
        create,
        [[401], [401, "refused token"], [401, "refused token"]],
        "refused token: send isAlone newToken",
      ],
      [wrong, [[401], [401, "refused token"], [401, "refused token"]], "answered: counts"],
      [create, [[403], [403, "refused token"], [403, "refused token"]], "answered: counts"],
      [
        create,
        [[401], [401, "refused token"], [401, "refused token"], [401, "refused token"]],
        "fresh tokens refused: counts AUTH-04",
      ],
      [
        create,
        [[401], [401, "refused token"], [401, "refused token"], [401, "refused token"]],
        "fresh tokens refused: counts AUTH-04",
        { badCredentials: 10 },
      ],
      [bad, [[401, "first", { token: undefined }]], "answered: counts", worked],
    ],
  ],
  [
    "a lock-out",
    (() => {
      const before: Given[] = [
        [401],
        [401, "refused token"],
        [401, "refused token"],
        [401, "refused token"],
      ];
      const waits: Given[] = Array.from({ length: 5 }, () => [401, "lock-out"]);
      const locks: Given[] = [[423], [423, "conflict"], [423, "conflict"], [423, "conflict"]];
      const keyWaits: Given[] = Array.from({ length: 5 }, () => [401, "key locked out"]);
      return [
        [create, before, "token control: send listBatches", provoked],
        [create, before, "token control: send listBatches", { ...worked, refusedTokens: 10 }],
        [create, before, "fresh tokens refused: counts AUTH-04", { ...worked, refusedTokens: 9 }],
        [
          create,
          [...before, [200, "token control"]],
          "fresh tokens refused: counts AUTH-04",
          provoked,
        ],
        [
          create,
          [...before, [401, "token control"]],
          "lock-out: send isAlone newToken 1000",
          provoked,
        ],
        [list, before, "lock-out: send isAlone newToken 1000", provoked],
        [list, [...before, [401, "lock-out"]], "lock-out: send isAlone newToken 2000", provoked],
        [list, [...before, ...waits], "locked out: stop", provoked],
        [list, before, "locked out: stop", { ...provoked, isLockedOut: true }],
        [
          list,
          before,
          "locked out: stop",
          { ...provoked, refusing: new Set(["listBatches"] as const) },
        ],
        [
          create,
          [...before, [401, "token control"]],
          "lock-out: send isAlone newToken 1000",
          { ...provoked, refusing: new Set(["listBatches"] as const) },
        ],
        [
          list,
          [...before, ...waits],
          "fresh tokens refused: counts AUTH-04",
          { ...worked, refusedTokens: 10 },
        ],
        [
          list,
          [[403], [403, "refused token"], [403, "refused token"]],
          "lock-out: send isAlone newToken 1000",
          provoked,
        ],
        [head, [[403]], "token control: send listBatches", provoked],
        [head, [[403], [200, "token control"]], "not the token: counts", provoked],
        [
          head,
          [[403], [403, "refused token"], [403, "refused token"]],
          "answered: counts",
          { ...provoked, listLength: 100_001 },
        ],
        [key, [[401]], "key locked out: send isAlone 1000", { ...provoked, tokenRequest: key }],
        [
          key,
          [[401], ...keyWaits.slice(1)],
          "key locked out: send isAlone 16000",
          { ...provoked, tokenRequest: key },
        ],
        [key, [[401], ...keyWaits], "answered: counts", { ...provoked, tokenRequest: key }],
        [key, locks, "key locked out: send isAlone 1000", { ...provoked, tokenRequest: key }],
        [key, locks, "answered: counts", { ...worked, tokenRequest: key }],
        [list, locks, "lock-out: send isAlone newToken 1000", provoked],
        [list, locks, "answered: counts", worked],
        [create, locks, "answered: counts", provoked],
        [key, [[401]], "answered: counts", { ...worked, tokenRequest: key }],
        [key, [[401]], "answered: counts", provoked],
        [key, [[400]], "answered: counts", { ...provoked, tokenRequest: key }],
      ];
    })(),
  ],
])("%s", (_, rows) => {
  test.each(rows.map((row) => [row[2], row] as const))("%s", (want, [spec, given, , facts]) => {
    expect(decided(spec, given, facts)).toBe(want);
  });
});

test.each<[Given, Sign | undefined]>([
  [["dropped"], "silence"],
  [[[429, later]], "throttling"],
  [["cut"], "cut"],
  [[502], "gateway error"],
  [[409], "conflict"],
  [[408], "idle connection"],
  [[408, "idle connection", fresh], "idle connection"],
  [[408, "idle connection", alone], undefined],
  [[200], undefined],
  [[422], undefined],
])("%j has the sign %s", (given, sign) => {
  expect(triedOf(given).sign).toBe(sign);
});

test("a reason says what the server did and what to change", () => {
  const reasonOf = (...given: Parameters<typeof stepOf>): string => {
    const { step } = stepOf(...given);
    return step.kind === "stop" ? step.reason : step.kind;
  };
  expect(reasonOf(create, [[[429, ["Retry-After", "31"]]]])).toBe(
    "POST /batches was throttled with 429 and a wait of 31 s. Raise the server's limit for this client, or lower --rate and --concurrency.",
  );
  expect(reasonOf(bad, [[[429, ["Retry-After", "31"]]]])).toBe(
    "GET /batches answers bad tokens with 429 for longer than a run waits. Raise the server's limit of failed attempts for this client.",
  );
  const refused: Given[] = [
    [401],
    [401, "refused token"],
    [401, "refused token"],
    [401, "refused token"],
  ];
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
