import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { answers, refusal } from "../change.ts";
import type { Answer, Call, Change, Policy } from "../policy.ts";
import type { Fault } from "./fault.ts";

interface Door {
  readonly operation: OperationName;
  readonly name: string;
  readonly missing: RequirementId;
  readonly madeUp: RequirementId;
  readonly tampered: RequirementId;
  readonly scheme: RequirementId;
}

const door = (
  operation: OperationName,
  name: string,
  missing: RequirementId,
  madeUp: RequirementId,
  tampered: RequirementId,
  scheme: RequirementId,
): Door => ({ operation, name, missing, madeUp, tampered, scheme });

const doors: readonly Door[] = [
  door("createOperation", "operation", "AUTH-20", "AUTH-21", "AUTH-22", "AUTH-23"),
  door("createCounterparty", "counterparty", "AUTH-24", "AUTH-25", "AUTH-26", "AUTH-27"),
  door("addAcamItem", "acam", "AUTH-28", "AUTH-29", "AUTH-30", "AUTH-31"),
  door("createBatch", "batch", "AUTH-32", "AUTH-33", "AUTH-34", "AUTH-35"),
  door("listBatches", "list", "AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39"),
];

const every = (kind: "missing" | "madeUp" | "tampered" | "scheme"): readonly RequirementId[] =>
  doors.map((one) => one[kind]);

type Here = (call: Call) => boolean;
const everywhere: Here = () => true;

/** Lets in headers that carry no bearer token. */
const admittingHeader =
  (here: Here, more: (header: string | undefined) => boolean): Change =>
  (base: Policy) => ({
    tokenIn: (header, call) => (here(call) && more(header) ? "open" : base.tokenIn(header, call)),
    admitsToken: (token, call) => (here(call) && token === "open") || base.admitsToken(token, call),
  });

/** Lets in tokens that are like one that was issued. */
const admittingToken =
  (here: Here, like: (token: string, issued: string) => boolean): Change =>
  (base: Policy) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) ||
      (here(call) && [...call.store.tokens.keys()].some((issued) => like(token, issued))),
  });

const middleIgnored = (token: string, issued: string): boolean =>
  token.length === issued.length && token.slice(0, 4) === issued.slice(0, 4) && token.slice(-4) === issued.slice(-4);

/** The token but for its last third. */
const twoThirds = (token: string): string => token.slice(0, -Math.ceil(token.length / 3));

const faultsOf = ({ operation, name, missing, madeUp, tampered, scheme }: Door): readonly Fault[] => {
  const here: Here = (call) => call.operation === operation;
  return [
    {
      id: `${name}-without-token`,
      breaks: missing,
      operation,
      about: "A request without Authorization is served.",
      change: admittingHeader(here, (header) => header === undefined),
    },
    {
      id: `${name}-made-up-token`,
      breaks: madeUp,
      also: [tampered, "AUTH-40"],
      operation,
      about: "Every bearer token is served.",
      change: (base) => ({ admitsToken: (token, call) => here(call) || base.admitsToken(token, call) }),
    },
    {
      id: `${name}-property-token`,
      breaks: madeUp,
      operation,
      about: "Tokens are looked up as properties of an object, of which each has a few from the start.",
      change: (base) => ({
        admitsToken: (token, call) => (here(call) && token in Object.prototype) || base.admitsToken(token, call),
      }),
    },
    {
      id: `${name}-tampered-token`,
      breaks: tampered,
      also: ["AUTH-40"],
      operation,
      about: "The middle of the token is not compared.",
      change: admittingToken(here, middleIgnored),
    },
    {
      id: `${name}-other-scheme`,
      breaks: scheme,
      operation,
      about: "A header that is there is served, whatever scheme it has.",
      change: admittingHeader(here, (header) => header !== undefined && !/^bearer /i.test(header)),
    },
  ];
};

/** Changes how a bad token is answered. */
const unauthenticated = (
  operation: OperationName | undefined,
  change: (answer: Answer, call: Call) => Answer,
): Change =>
  answers(
    (answer, call) => answer.refusal === "token" && (operation === undefined || call.operation === operation),
    change,
  );

const isMissing: Here = (call) => call.headers.authorization === undefined;

/** Forgets tokens that it should know. */
const forgetting =
  (forgets: (nth: number, call: Call) => boolean): Change =>
  (base) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) && !forgets([...call.store.tokens.keys()].indexOf(token) + 1, call),
  });

/** Faults of the five endpoints that take a token: whom they let in, and how they say no. */
export const tokenFaults: readonly Fault[] = [
  ...doors.flatMap(faultsOf),
  {
    id: "operation-end-of-token-ignored",
    breaks: "AUTH-22",
    also: ["AUTH-40"],
    operation: "createOperation",
    about: "The last third of the token is not compared.",
    change: admittingToken(
      (call) => call.operation === "createOperation",
      (token, issued) => token.length === issued.length && twoThirds(token) === twoThirds(issued),
    ),
  },
  {
    id: "list-token-null",
    breaks: "AUTH-37",
    operation: "listBatches",
    about: "The token null is served, as an empty entry is found for it.",
    change: (base) => ({
      admitsToken: (token, call) =>
        base.admitsToken(token, call) || (call.operation === "listBatches" && token === "null"),
    }),
  },
  {
    id: "list-scheme-token",
    breaks: "AUTH-39",
    operation: "listBatches",
    about: "A good token is served with the scheme Token, too.",
    change: (base) => ({
      tokenIn: (authorization, call) =>
        base.tokenIn(
          call.operation === "listBatches" ? authorization?.replace(/^Token /, "Bearer ") : authorization,
          call,
        ),
    }),
  },
  {
    id: "accepts-any-token",
    breaks: "AUTH-21",
    also: [...every("madeUp"), ...every("tampered"), "AUTH-40"],
    about: "Every bearer token is served on every endpoint.",
    change: () => ({ admitsToken: () => true }),
  },
  {
    id: "open-to-all",
    breaks: "AUTH-20",
    also: [...every("missing"), ...every("madeUp"), ...every("tampered"), ...every("scheme"), "AUTH-40"],
    about: "Nobody looks at Authorization at all.",
    change: () => ({ tokenIn: () => "open", admitsToken: () => true }),
  },
  {
    id: "token-tail-accepted",
    breaks: "AUTH-22",
    also: every("tampered"),
    about: "A token that goes on behind its end is served.",
    change: admittingToken(everywhere, (token, issued) => token.startsWith(issued)),
  },
  {
    id: "token-compared-by-first-eight",
    breaks: "AUTH-22",
    also: [...every("madeUp"), ...every("tampered"), "AUTH-40"],
    about: "Eight characters of a token are compared and no more.",
    change: admittingToken(
      everywhere,
      (token, issued) => token.length >= 8 && token.slice(0, 8) === issued.slice(0, 8),
    ),
  },
  {
    id: "list-token-tail-accepted",
    breaks: "AUTH-38",
    operation: "listBatches",
    about: "The list is shown for a token that goes on behind its end.",
    change: admittingToken(
      (call) => call.operation === "listBatches",
      (token, issued) => token.startsWith(issued),
    ),
  },
  {
    id: "token-case-ignored",
    breaks: "AUTH-40",
    about: "Tokens are compared without letter case.",
    change: admittingToken(everywhere, (token, issued) => token.toLowerCase() === issued.toLowerCase()),
  },
  {
    id: "bearer-alone-accepted",
    breaks: "AUTH-23",
    also: every("scheme"),
    about: "The word Bearer without a token is served.",
    change: admittingHeader(everywhere, (header) => header?.trim().toLowerCase() === "bearer"),
  },
  {
    id: "basic-accepted",
    breaks: "AUTH-23",
    also: every("scheme"),
    about: "Basic credentials of anybody are served.",
    change: admittingHeader(everywhere, (header) => header?.startsWith("Basic ") === true),
  },
  {
    id: "operation-missing-token-403",
    breaks: "AUTH-20",
    operation: "createOperation",
    about: "A missing token is answered with 403 where 401 is stated.",
    change: unauthenticated("createOperation", (answer, call) =>
      isMissing(call) ? { ...answer, status: 403 } : answer,
    ),
  },
  {
    id: "operation-missing-token-400",
    breaks: "AUTH-20",
    operation: "createOperation",
    about: "A missing token is answered with 400 where 401 is stated.",
    change: unauthenticated("createOperation", (answer, call) =>
      isMissing(call) ? { ...answer, status: 400 } : answer,
    ),
  },
  {
    id: "operation-bad-token-403",
    breaks: "AUTH-21",
    also: ["AUTH-22"],
    operation: "createOperation",
    about: "A bad token is answered with 403 where 401 is stated.",
    change: unauthenticated("createOperation", (answer, call) =>
      isMissing(call) ? answer : { ...answer, status: 403 },
    ),
  },
  {
    id: "operation-like-token-403",
    breaks: "AUTH-22",
    also: ["AUTH-21"],
    operation: "createOperation",
    about: "A token that begins like an issued one is answered with 403 where 401 is stated.",
    change: unauthenticated("createOperation", (answer, call) => {
      const begin = call.headers.authorization?.slice(0, 11);
      const like = [...call.store.tokens.keys()].some((issued) => `Bearer ${issued}`.slice(0, 11) === begin);
      return like ? { ...answer, status: 403 } : answer;
    }),
  },
  {
    id: "list-refused-with-redirect",
    breaks: "AUTH-36",
    also: ["AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40"],
    operation: "listBatches",
    about: "Without a valid token the list redirects to a page for signing in.",
    change: unauthenticated("listBatches", (answer) => ({ ...answer, status: 302, headers: { location: "/login" } })),
  },
  {
    id: "list-refused-with-200",
    breaks: "AUTH-36",
    also: ["AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40", "BATCH-20", "BATCH-21", "BATCH-22"],
    operation: "listBatches",
    about: "Without a valid token the list says so in the body of a 200.",
    change: refusal("listBatches", (answer) => ({ ...answer, status: 200 })),
  },
  {
    id: "list-empty-for-strangers",
    breaks: "AUTH-36",
    also: ["AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40"],
    operation: "listBatches",
    about: "Without a valid token the list is empty instead of refused.",
    change: unauthenticated("listBatches", () => ({
      status: 200,
      headers: {},
      body: { batches: [], count: 0, total: 0 },
    })),
  },
  {
    id: "token-never-accepted",
    breaks: "AUTH-04",
    about: "No token that was issued is known to the other endpoints.",
    change: forgetting(() => true),
  },
  {
    id: "token-second-unusable",
    breaks: "AUTH-04",
    about: "Only the first token that was issued is known to the other endpoints.",
    change: forgetting((nth) => nth > 1),
  },
  {
    id: "token-unknown-to-list",
    breaks: "AUTH-04",
    operation: "listBatches",
    about: "The list refuses every token.",
    change: forgetting((_nth, call) => call.operation === "listBatches"),
  },
];
