import type { InterpretationId } from "../../../spec/interpretations.ts";
import type { InputKind } from "../../../spec/refusals.ts";
import { invalid, isRedirection, isRefusal, isSuccess, messageOf } from "../../../model/exchange.ts";
import type { Exchange, Refusal } from "../../../model/exchange.ts";
import type { Judgement } from "../../../model/finding.ts";
import { holds } from "./rule.ts";
import { brokenStatus } from "./words.ts";

export interface BrokenRule {
  /** What the request is, after "a request": `with /name left out`. */
  readonly change: string;
  /** What kind of mistake it is, if the refusal does not say so. */
  readonly input?: InputKind;
  /** How such a request must be refused, if a requirement says so. */
  readonly refusal?: Refusal;
  /** Only good practice speaks against the request: it breaks no stated rule. */
  readonly isDoubtful?: true;
}

type StatingRule = BrokenRule & { readonly refusal: Refusal };

export type Shown =
  | { readonly of: "request"; readonly exchange: Exchange; readonly isAlone?: boolean }
  | {
      readonly of: "control";
      /** It got the same status and message as the last request. */
      readonly isAlike: boolean;
      /** Good credentials were refused. */
      readonly isRefused?: boolean;
      /** The run had to wait for the end of a lock-out first. */
      readonly hasWaited?: boolean;
    };

/** What a run knows of its target, and a recording does not: a recording cannot send the request again. */
export interface Live {
  /** Milliseconds until each node of the target knows what was created; 0 if none lagged so far. */
  readonly lag: number;
  /** Valid requests were refused with 403 for longer than a run waits. */
  readonly isBlocked: boolean;
  /** The request presents credentials of its own: servers count bad ones, so it is not sent again without need. */
  readonly presentsItsOwn: boolean;
}

export type Answer =
  | { readonly kind: "judged"; readonly judgements: readonly Judgement[] }
  /** `isBlock`: the target refuses valid requests with 403, as firewalls do for a while. */
  | { readonly kind: "no verdict"; readonly reason: string; readonly isBlock?: boolean }
  | {
      readonly kind: "needs";
      readonly what: "request" | "control";
      /** While nothing else is in flight: a server may lock what another request uses. */
      readonly isAlone?: boolean;
      readonly pause?: number;
    };

type Situation = NonNullable<ReturnType<typeof situationOf>>;

interface Row {
  readonly for: InterpretationId;
  readonly when: (situation: Situation) => boolean;
  readonly answer: (situation: Situation) => Answer;
}

/** Milliseconds to wait while a server refuses everything with 403, as firewalls do for a while. */
const blockWaits = [1000, 2000, 4000] as const;
/** Milliseconds until every node of a usual server knows what was created (INT-43). */
const longestLag = 2000;
/** How often a request is sent again because a block may have refused it. */
const mostTimes = 3;

/** Statuses of the HTTP layer and of throttling: a recording does not show whether they are about the request. */
const undecided = new Set([408, 413, 414, 425, 429, 431]);

const nothing: Answer = { kind: "judged", judgements: [] };
const needs = (what: "request" | "control", more: { isAlone?: boolean; pause?: number } = {}): Answer => ({
  kind: "needs",
  what,
  ...more,
});

const violated = ({ change, refusal: { requirement, status }, exchange }: Situation): Answer => {
  const request = { ...exchange, intent: invalid(change) };
  const expected = status === undefined ? "a 4xx status" : `status ${status}`;
  return { kind: "judged", judgements: [brokenStatus(request, requirement, expected)] };
};

const statesRefusal = (rule: BrokenRule): rule is StatingRule => rule.refusal !== undefined;

/** A request that breaks several rules may be refused for any of them, so its refusal shows none of them to hold. */
const held = ({ rules, refusal }: Situation): Answer =>
  rules.filter(statesRefusal).length === 1 ? { kind: "judged", judgements: [holds(refusal.requirement)] } : nothing;

const isRight = ({ rules, exchange, status }: Situation): boolean =>
  rules.some(({ refusal }) => (refusal?.status === undefined ? isRefusal(exchange) : refusal.status === status));

/** Where the control is refused too, only 401 is certainly about the credentials. */
const isCertain = ({ refusal, status }: Situation): boolean => refusal.isControlRefused !== true || status === 401;

/** The first row that applies decides. */
const rows = {
  "judged for a crash or a success alone": {
    for: "INT-38",
    when: ({ exchange: { exemptBy } }) => exemptBy !== undefined && exemptBy !== "INT-34",
    answer: (s) => (isSuccess(s.exchange) ? violated(s) : nothing),
  },
  "single crash": {
    for: "INT-04",
    when: ({ status, times }) => status >= 500 && times === 1,
    answer: () => needs("request"),
  },
  undecided: {
    for: "INT-04",
    when: ({ live, status }) => live === undefined && undecided.has(status),
    answer: () => nothing,
  },
  right: { for: "INT-05", when: (s) => isRight(s) && isCertain(s), answer: held },
  "no refusal": {
    for: "INT-05",
    when: ({ exchange }) => !isRefusal(exchange) && !isRedirection(exchange),
    answer: violated,
  },
  "without a control": {
    for: "INT-06",
    when: ({ refusal, live }) => live !== undefined && refusal.control === undefined,
    answer: violated,
  },
  "refused alone": {
    for: "INT-43",
    when: ({ controls, isAlone, status }) => controls === 0 && isAlone && status !== 403,
    answer: violated,
  },
  "not compared": {
    for: "INT-11",
    when: ({ controls }) => controls === 0,
    answer: ({ isAlone }) => needs("control", { isAlone }),
  },
  block: {
    for: "INT-11",
    when: ({ control, controls, status, live }) =>
      control.isAlike && status === 403 && live?.isBlocked === false && controls <= blockWaits.length,
    answer: ({ controls }) => needs("control", { pause: blockWaits[controls - 1] ?? 0 }),
  },
  "not known yet": {
    for: "INT-43",
    when: ({ control, exchange, status, times, live }) =>
      control.isAlike && live?.presentsItsOwn === false && times === 1 && isRefusal(exchange) && status !== 403,
    answer: () => needs("request", { pause: longestLag }),
  },
  alike: {
    for: "INT-11",
    when: ({ control }) => control.isAlike,
    answer: ({ exchange, status }) => ({
      kind: "no verdict",
      reason: `the server answers a valid request in the same way (${messageOf(exchange)}), so the status says nothing of this one`,
      isBlock: status === 403,
    }),
  },
  "right, unlike the control": { for: "INT-17", when: isRight, answer: held },
  redirected: { for: "INT-34", when: ({ exchange }) => isRedirection(exchange), answer: violated },
  recorded: { for: "INT-06", when: ({ live }) => live === undefined, answer: violated },
  "locked out": {
    for: "INT-17",
    when: ({ control, live }) => control.isRefused === true && live?.presentsItsOwn === true,
    answer: ({ exchange }) => ({ kind: "no verdict", reason: lockedOut(exchange) }),
  },
  "refused again": {
    for: "INT-43",
    when: ({ control, controls, isAlone }) => isAlone && controls === 1 && control.hasWaited !== true,
    answer: violated,
  },
  "refused by itself": {
    for: "INT-17",
    when: ({ control, controls, live }) =>
      live?.presentsItsOwn === true && live.lag === 0 && controls === 1 && control.hasWaited !== true,
    answer: violated,
  },
  "blocked again and again": {
    for: "INT-43",
    when: ({ times }) => times > mostTimes,
    answer: ({ exchange }) => ({ kind: "no verdict", reason: lockedOut(exchange) }),
  },
  "once more": {
    for: "INT-43",
    when: () => true,
    answer: ({ live }) => needs("request", { isAlone: true, pause: live?.lag ?? 0 }),
  },
} satisfies Record<string, Row>;

const table: readonly Row[] = Object.values(rows);

const lockedOut = (exchange: Exchange): string =>
  `the server refuses good requests too for a while (${messageOf(exchange)}), so the status says nothing of this one`;

const noControl: Extract<Shown, { readonly of: "control" }> = { of: "control", isAlike: false };

const situationOf = (
  rules: readonly BrokenRule[],
  { change, refusal }: StatingRule,
  shown: readonly Shown[],
  live: Live | undefined,
) => {
  const at = shown.findLastIndex(({ of }) => of === "request");
  const last = shown[at];
  if (last?.of !== "request") return undefined;
  const { exchange, isAlone } = last;
  const since = shown.slice(at + 1).flatMap((one) => (one.of === "control" ? [one] : []));
  return {
    ...{ rules, change, refusal, live, exchange },
    status: exchange.response.status,
    /** How often the request was sent, and whether it was alone the last time. */
    times: shown.filter(({ of }) => of === "request").length,
    isAlone: isAlone === true,
    /** The last control since then, if there was one, and how many there were. */
    control: since.at(-1) ?? noControl,
    controls: since.length,
  };
};

/** Whether a request was refused as one of the rules states; accepted, it breaks the first. `live`: can send more. */
export const judgeRefusal = (rules: readonly BrokenRule[], shown: readonly Shown[], live?: Live): Answer => {
  const rule = rules.find(statesRefusal);
  if (rule === undefined) return nothing;
  const situation = situationOf(rules, rule, shown, live);
  if (situation === undefined) return needs("request");
  return (table.find(({ when }) => when(situation)) ?? rows["once more"]).answer(situation);
};
