import { isUtf8 } from "node:buffer";
import { expect, test, vi } from "vitest";
import { hintOn } from "../harness/errors.ts";
import { notJudged } from "../model/conclusion/outcome.ts";
import { answers, around, instead, problem, remembering } from "../reference/change.ts";
import type { Answer, Call, Change } from "../reference/policy.ts";
import { catalogue, requirementIds, type RequirementId } from "../spec/catalogue.ts";
import { ownNeeds, type Gap } from "../spec/gaps.ts";
import { referenceRuns, type CommandResult } from "./reference-run.ts";

vi.setConfig({ testTimeout: 300_000 });

const { against, fxconform } = referenceRuns("gaps-test-key-4d1e", 3);

/**
 * A legal server that leaves a requirement open, or could hide a fault of that requirement
 * (INT-57).
 */
interface Row {
  readonly gap?: Gap;
  /**
   * The requirement stays open without a gap that its row names. That keeps a full run from
   * `conformant`.
   */
  readonly isOpen?: true;
  readonly variants?: readonly string[];
  /** What is unusual about a server that is not a variant, in words that follow "a server that". */
  readonly server?: readonly [name: string, change: Change];
  readonly isPlain?: true;
  readonly words?: readonly string[];
  readonly requirement: RequirementId;
  /**
   * A fault of the requirement itself: it is found, or the requirement stays open. Absent if there
   * can be none.
   */
  readonly inside?: string | Change;
}

const crash = problem(500, "It crashed");
const toLogin: Answer = { status: 302, headers: { location: "https://login.example.com/" } };
const inAnHour = { "retry-after": "3600" } as const;
const isCoded = ({ headers }: Call): boolean => "content-encoding" in headers;
const isAtBatches = ({ operation }: Call): boolean => operation === "createBatch";
const isAtOperations = ({ operation }: Call): boolean => operation === "createOperation";

/** Answers each bad token except the first with 429 and `Retry-After: 3600`. */
const puttingOff: Change = remembering(() => {
  let bad = 0;
  const isFurther = ({ refusal }: Answer): boolean => {
    bad += refusal === "token" ? 1 : 0;
    return refusal === "token" && bad > 1;
  };
  return answers(isFurther, () => problem(429, "Later", inAnHour));
});

/** After the first `most` requests that `when` selects, gives this answer to all further ones. */
function after(most: number, answer: Answer, when: (call: Call) => boolean = () => true): Change {
  return remembering(() => {
    let seen = 0;
    return around(async (call, next) => {
      seen += when(call) ? 1 : 0;
      return when(call) && seen > most ? answer : next(call);
    });
  });
}

/** Issues one token after the other, all with the same single character for their text. */
const shortTokens: Change = remembering(() => {
  let issued = "";
  return around(async (call, next) => {
    const { authorization } = call.headers;
    const own = authorization === "Bearer x" ? { authorization: `Bearer ${issued}` } : {};
    const answer = await next({ ...call, headers: { ...call.headers, ...own } });
    if (call.operation !== "createToken" || answer.status >= 300) return answer;
    issued = (answer.body as { readonly token: string }).token;
    return { ...answer, body: { token: "x" } };
  });
});

const rows: readonly Row[] = [
  {
    gap: "near credential",
    server: ["has tokens of one character", shortTokens],
    requirement: "AUTH-38",
    inside: "list-tampered-token",
  },
  {
    gap: "optional member",
    variants: ["external-id-absent"],
    requirement: "CPTY-06",
    inside: "counterparty-external-id-lower-case",
  },
  {
    gap: "batched operations",
    variants: ["batches-stay-empty"],
    requirement: "BATCH-35",
    inside: "batched-batch-other",
  },
  {
    gap: "second pair",
    variants: ["one-pair"],
    words: ["--currency-pairs", "EURBRL"],
    requirement: "BATCH-07",
    inside: "batch-answers-crossed",
  },
  {
    gap: "other purpose",
    variants: ["only-efx"],
    requirement: "ACAM-03",
    inside: "acam-any-purpose",
  },
  {
    gap: "concurrency",
    words: ["--concurrency", "1"],
    requirement: "OPER-16",
    inside: "operation-id-same-together",
  },
  {
    gap: "bad credentials",
    words: ["--max-bad-credentials", "0"],
    requirement: "AUTH-21",
    inside: "operation-made-up-token",
  },
  {
    gap: "whole list",
    variants: ["old-batches-300", "list-first-page-oldest"],
    requirement: "BATCH-24",
    inside: "list-created-together-lost",
  },
  {
    gap: "second pair",
    variants: ["one-pair", "second-batch-same"],
    words: ["--currency-pairs", "EURBRL"],
    requirement: "BATCH-06",
    inside: "batch-id-same",
  },
  {
    gap: "https",
    isPlain: true,
    requirement: "HTTP-07",
  },
  {
    gap: "refusal",
    variants: ["counterparties-one"],
    requirement: "CPTY-10",
    inside: "counterparty-id-same",
  },
  ...["payee-for-one-operation-of-a-pair", "payee-for-one-purpose"].map((id): Row => ({
    variants: [id],
    requirement: "ACAM-03",
    inside: "acam-any-purpose",
  })),
  {
    variants: ["operations-eight-a-day"],
    requirement: "OPER-28",
    inside: "operation-currency-amount-any-type",
  },
  // Exempt: of these responses, only a crash is judged.
  {
    variants: ["not-utf-8-refused-by-framework"],
    words: ["--only", "BATCH-08"],
    requirement: "HTTP-04",
    inside: instead(({ bytes }) => !isUtf8(bytes), crash),
  },
  {
    variants: ["codings-refused"],
    words: ["--only", "BATCH-08"],
    requirement: "HTTP-04",
    inside: instead(isCoded, crash),
  },
  {
    variants: ["headers-limited"],
    requirement: "AUTH-37",
    inside: "list-made-up-token",
  },
  // Left out: most responses that could show the requirement are exempt.
  {
    isOpen: true,
    variants: ["ids-slashes", "proxy-plain-paths"],
    requirement: "ACAM-06",
    inside: "acam-invalid-error-object",
  },
  {
    isOpen: true,
    server: ["sends all batches to its login (INT-34)", instead(isAtBatches, toLogin)],
    requirement: "BATCH-08",
    inside: "batch-malformed-error-renamed",
  },
  // Given up: what was sent shows nothing.
  {
    isOpen: true,
    server: [
      "refuses all operations after two alike",
      after(2, problem(409, "Full"), isAtOperations),
    ],
    requirement: "OPER-28",
    inside: "operation-currency-amount-any-type",
  },
  {
    isOpen: true,
    server: ["puts batches off for an hour", instead(isAtBatches, problem(429, "Later", inAnHour))],
    requirement: "BATCH-08",
    inside: "batch-malformed-error-renamed",
  },
  {
    isOpen: true,
    server: ["puts bad tokens off for an hour", puttingOff],
    requirement: "AUTH-34",
    inside: "batch-tampered-token",
  },
  {
    isOpen: true,
    server: ["goes down", after(5, { ...crash, fate: "drop" })],
    requirement: "OPER-28",
    inside: "operation-currency-amount-any-type",
  },
  {
    isOpen: true,
    server: ["answers with 503 from some moment on", after(5, problem(503, "Down"))],
    requirement: "OPER-28",
    inside: "operation-currency-amount-any-type",
  },
];

function nameOf({ variants = [], server: own, words = [], requirement, isPlain }: Row): string {
  const plain = isPlain ? ["plain HTTP"] : [];
  const named = own === undefined ? [] : [own[0]];
  const server = [...variants, ...named, ...plain, ...words].join(" ");
  return `${server}: ${requirement}`;
}

const named = rows.map((row) => [nameOf(row), row] as const);
test.concurrent.for(named)("%s", async ([, row], { expect }) => {
  const { gap, isOpen, variants = [], server, isPlain = false, words = [], requirement } = row;
  const { inside } = row;
  const found = async (faults: readonly string[], changes: readonly Change[]) => {
    const own = server === undefined ? [] : [server[1]];
    const deviations = { variants, faults, changes: [...own, ...changes], isPlain };
    const { run } = await against(deviations, (target) =>
      fxconform(["run", ...target, ...words, "--only", requirement]),
    );
    return run.requirements.filter(({ id }) => id === requirement);
  };
  const legal = await found([], []);
  const mayHide = gap !== undefined || isOpen === true;
  expect(legal).toMatchObject([{ verdict: mayHide ? "inconclusive" : "pass" }]);
  expect(legal[0]?.gap).toBe(gap);
  // A requirement that is open without a gap that its row names keeps a full run from `conformant`.
  expect(notJudged({ requirements: legal, profile: "full" })).toEqual(isOpen ? legal : []);
  if (inside === undefined) return;
  const [broken] = await (typeof inside === "string" ? found([inside], []) : found([], [inside]));
  expect(mayHide ? ["fail", "inconclusive"] : ["fail"]).toContain(broken?.verdict);
});

test("each gap has a server here, and each need a requirement", () => {
  const gaps = new Set<Gap>([...Object.values(ownNeeds).flat(), "bad credentials"]);
  expect([...new Set(rows.flatMap(({ gap }) => gap ?? []))].sort()).toEqual([...gaps].sort());
  const taken = new Set<string>(requirementIds.flatMap((id) => catalogue[id].takes));
  expect([...taken].sort()).toEqual(Object.keys(ownNeeds).sort());
});

/** What a run says of requirements without a verdict: each reason, with its gap. */
const reasonsOf = (
  run: Pick<CommandResult["run"], "requirements">,
  isOne: (id: RequirementId) => boolean,
): readonly string[] => [
  ...new Set(
    run.requirements
      .filter(({ id, verdict }) => verdict === "inconclusive" && isOne(id))
      .map(({ reason, gap = "-" }) => `${gap}: ${reason}`),
  ),
];
const isOfCredentials = (id: RequirementId): boolean => id.startsWith("AUTH");

test("that batches are refused is said of all that takes one", async () => {
  const changes = [instead(isAtBatches, problem(404, "No such page"))];
  const { run } = await against({ changes }, (words) => fxconform(["run", ...words]));
  const said = `POST /batches answered a valid request with 404 "No such page". ${hintOn.createBatch}`;
  expect([...reasonsOf(run, () => true)].sort()).toEqual([
    `-: ${said}`,
    `refusal: ${said}`,
    "whole list: GET /batches never showed a batch, which may be on another page",
  ]);
});

test("where the list alone refuses, no credentials of other endpoints are said to be limited", async () => {
  const isList = ({ operation }: Call): boolean => operation === "listBatches";
  const changes = [instead(isList, problem(403, "Not yours"))];
  const { run } = await against({ changes }, (words) => fxconform(["run", ...words]));
  for (const reason of reasonsOf(run, isOfCredentials)) {
    expect(reason).toContain("GET /batches");
    expect(reason).not.toMatch(/limit|since bad ones/);
  }
});

/** Refuses every token but the first. */
const firstTokenAlone: Change = remembering(() => {
  let first = "";
  return around(async (call, next) => {
    const { authorization } = call.headers;
    if (authorization !== undefined && authorization !== first) return problem(401, "Unknown");
    const answer = await next(call);
    if (call.operation === "createToken" && answer.status < 300)
      first ||= `Bearer ${(answer.body as { readonly token: string }).token}`;
    return answer;
  });
});

test("where new tokens are refused at any time, that is said, and keys are judged", async () => {
  const { run } = await against({ changes: [firstTokenAlone] }, (words) =>
    fxconform(["run", ...words]),
  );
  for (const reason of reasonsOf(run, isOfCredentials)) expect(reason).toContain("AUTH-04");
});

test("a run says which pairs the server kept from being covered", async () => {
  const variants = ["banks-of-one-country"];
  const partial = await against({ variants }, (words) => fxconform(["run", ...words]));
  expect(partial.run.outcome).toBe("conformant");
  const [payees] = partial.run.coverage ?? [];
  expect(payees?.pairs.covered).toBeLessThan(payees?.pairs.of ?? 0);
  expect(payees?.missing).toContainEqual(
    expect.objectContaining({ with: "region United States", status: 422 }),
  );
  // A refusal keeps its own value out, and the accounts that only it has, and nothing else.
  const kept = payees?.missing.filter((one) => !/^(region|account ABA)/.test(one.with));
  expect(kept).toEqual([]);
});

test("with one request in flight, only requirements that need several are inconclusive", async () => {
  const { code, run } = await against({}, (words) =>
    fxconform(["run", ...words, "--concurrency", "1"]),
  );
  expect(code).toBe(0);
  const rest = run.requirements.filter(({ verdict }) => verdict !== "pass");
  expect(rest.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    "CPTY-11 inconclusive",
    "OPER-16 inconclusive",
    "BATCH-07 inconclusive",
  ]);
  expect(run.peakInFlight).toBe(1);
});
