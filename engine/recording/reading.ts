import { createKnownIds, pairKey, remember } from "../../harness/judging/known-ids.ts";
import { compileResponseSchemas } from "../../harness/judging/response-schemas.ts";
import { createExemptions } from "../../harness/judging/rules/exemptions.ts";
import { createJudging } from "../../harness/judging/judge.ts";
import type { BrokenRule } from "../../harness/judging/refusal.ts";
import { fieldOf, isRefusal, isSuccess, jsonOf, wordsOf } from "../../model/exchange.ts";
import { invalid, valid, type Fields } from "../../model/request.ts";
import { memberOf } from "../../spec/json.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Intent } from "../../model/request.ts";
import type { Json } from "../../spec/json.ts";
import { requestSchemaOf, type ContractDocument } from "../../spec/contract.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import type { OperationName } from "../../spec/operations.ts";
import { inputKindOf } from "../../spec/refusals.ts";
import { bodyReading, compileRequestSchemas, credentialRules } from "./request-rules.ts";
import type { MatchedRequest, WatchedExchange } from "./watched.ts";

/** What a recording has shown of one server so far. */
export type Learnt = ReturnType<typeof createLearnt>;

/**
 * The grace period of recordings, in milliseconds: after it, every node of most servers knows a new
 * resource.
 */
const grace = 5000;

/** What is compiled once, however many recordings are judged. */
export function compileSchemas(document: ContractDocument) {
  return {
    document,
    requests: compileRequestSchemas(document),
    responses: compileResponseSchemas(document),
  };
}

/** Learns from the exchanges with one server. */
export function createLearnt({ document, requests, responses }: ReturnType<typeof compileSchemas>) {
  const ids = createKnownIds();
  const rules = createJudging({ schemas: responses, ids, grace });
  const exemptions = createExemptions();
  const seen = { tokens: false, keys: false };
  const purposes = createPurposes();
  const refusals = new Map<string, true>();
  const answered = new Set<OperationName>();
  const refusalOf = (exchange: Exchange): string => `${exchange.operation} ${wordsOf(exchange)}`;

  /**
   * Returns the exchange, with its time in milliseconds since the epoch, what may exempt it
   * (`candidate`), the rules that its request breaks, and whether the recording leaves out its body.
   */
  const read = (watched: WatchedExchange, match: MatchedRequest) => {
    const { request, response } = watched;
    const { operation } = match;
    const isUnknown =
      watched.withoutRequestBody && requestSchemaOf(document, operation) !== undefined;
    const body = isUnknown ? "unclear" : bodyReading(operation, request, requests);
    const own = [...credentialRules(operation, request, seen), ...(body === "unclear" ? [] : body)];
    const candidate = {
      operation,
      request,
      response,
      intent: intentOf(own, body === "unclear"),
      path: valuesIn(match.target),
      exemptBy: oddityOf(match.target, watched),
      statesRefusal: own.some(({ refusal }) => refusal !== undefined),
    };
    const exemptBy = exemptions.of(candidate);
    const broken = exemptBy === undefined || exemptBy === "INT-34" ? own : [];
    let json: { readonly value: Json | undefined } | undefined;
    const exchange: Exchange = {
      id: 0,
      operation,
      intent: intentOf(broken, body === "unclear"),
      scenario: watched.place.replace(/, .*$/, ""),
      request: { ...request, json: request.json && requests(operation, request.json).known },
      response,
      at: watched.startedAt,
      // Parsed only when it is needed: learning from a list reads none of its batches, which can be
      // thousands.
      get json() {
        json ??= { value: jsonOf(response) };
        return json.value;
      },
      exemptBy,
    };
    return {
      exchange,
      candidate,
      rules: [...broken, ...purposes.brokenBy(exchange)],
      isBodyUnknown: isUnknown,
    };
  };

  return {
    seen,
    read,
    rules,
    /**
     * Whether a valid request of the same operation was refused with the same status and words.
     * Undefined if there was no valid request of that operation.
     */
    refusesValidAlike: (exchange: Exchange): boolean | undefined =>
      answered.has(exchange.operation) ? refusals.has(refusalOf(exchange)) : undefined,
    /** Learns from an exchange. All exchanges of a recording are learnt before any is judged. */
    learn: (watched: WatchedExchange, match: MatchedRequest): void => {
      const { exchange, candidate } = read(watched, match);
      exemptions.learn(candidate);
      rules.learn(exchange);
      const { operation, intent, request } = exchange;
      if (operation === "createBatch" && intent.kind === "invalid")
        ids.taint("batch of pair", pairKey(request.json));
      if (fieldOf(request.headers, "authorization") !== undefined) seen.tokens = true;
      if (fieldOf(request.headers, "x-api-key") !== undefined) seen.keys = true;
      if (exchange.exemptBy !== undefined) return;
      purposes.learn(exchange);
      if (intent.kind !== "valid") return;
      answered.add(operation);
      if (isRefusal(exchange)) remember(refusals, refusalOf(exchange), true);
    },
  };
}

/** The parts of the path, decoded. A part that cannot be decoded is left out. */
function valuesIn(target: string): readonly string[] {
  return (target.split("?")[0] ?? "").split("/").flatMap((part) => decoded(part) ?? []);
}

/**
 * The interpretation that exempts an oddity of the request which proxies may refuse (INT-38,
 * INT-41). Undefined if there is none. Odd characters count in the query alone, because an odd id
 * in the path may be the server's own.
 */
function oddityOf(
  target: string,
  { request, response }: WatchedExchange,
): InterpretationId | undefined {
  if (decoded(target) === undefined) return "INT-41";
  const query = target.split("?")[1] ?? "";
  if (isRefusal({ response }) && /%(?:5b|5d|25|20)/i.test(query)) return "INT-38";
  const isTooLong = response.status === 414 || response.status === 431;
  return isTooLong && (target.length > longest || request.headers.some(isOddHeader))
    ? "INT-38"
    : undefined;
}

/** HTTP servers may refuse a target or a header that is longer than this, in characters. */
const longest = 2000;

function isOddHeader([, value]: Fields[number]): boolean {
  return value.length > longest || /[^\x20-\x7e]/.test(value);
}

/** A text with its percent-encoded bytes decoded. Undefined if the bytes are not UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function intentOf(rules: readonly BrokenRule[], isUnclear: boolean): Intent {
  const [first] = rules;
  if (first !== undefined)
    return invalid(
      first.change,
      first.input ?? (first.refusal && inputKindOf(first.refusal.requirement)),
    );
  return isUnclear ? invalid("that cannot be classified") : valid;
}

/**
 * What traffic shows of the purposes of operations. ACAM items are for EFX operations alone
 * (INT-23).
 */
function createPurposes() {
  /** The purposes that are certainly not EFX, by the id of the operation. */
  const others = new Map<string, string>();
  /** By purpose, the id of the first operation whose ACAM item was refused. */
  const refused = new Map<string, string>();
  /** The id and the purpose of an operation that is not EFX, for which an exchange adds an item. */
  const otherOf = (exchange: Exchange) => {
    const id = exchange.operation === "addAcamItem" ? operationOf(exchange) : undefined;
    return { id, purpose: id === undefined ? undefined : others.get(id) };
  };
  return {
    learn: (exchange: Exchange): void => {
      const made = exchange.operation === "createOperation" ? operationOf(exchange) : undefined;
      const other = otherPurposeOf(exchange);
      if (made !== undefined && other !== undefined) remember(others, made, other);
      const { id, purpose } = otherOf(exchange);
      if (id === undefined || purpose === undefined || !isRefusal(exchange)) return;
      if (!refused.has(purpose)) remember(refused, purpose, id);
    },
    /**
     * The rule that a request breaks if it adds an ACAM item to an operation whose purpose is not
     * EFX. Empty for any other request.
     */
    brokenBy: (exchange: Exchange): readonly BrokenRule[] => {
      const { id, purpose } = otherOf(exchange);
      if (purpose === undefined || exchange.exemptBy !== undefined) return [];
      // Once an item for a purpose was refused, items for other operations with that purpose show
      // whether the operation in the path decides.
      const isFurther = (refused.get(purpose) ?? id) !== id;
      const change = `for an operation with the purpose ${purpose}`;
      return [{ change, refusal: { requirement: isFurther ? "ACAM-05" : "ACAM-03" } }];
    },
  };
}

/**
 * The id of the operation that an exchange created, or that its ACAM item is for. Undefined if
 * there is none.
 */
function operationOf({ operation, json, request }: Exchange): string | undefined {
  if (operation === "createOperation") {
    const id = memberOf(json, "operation_id");
    return typeof id === "string" ? id : undefined;
  }
  const part =
    operation === "addAcamItem" ? new URL(request.url).pathname.split("/").at(-2) : undefined;
  return part === undefined ? undefined : decoded(part);
}

/**
 * The purpose of a new operation if it is certainly not EFX: the response repeats it unchanged, and
 * it is no spelling of EFX (INT-36). Undefined otherwise.
 */
function otherPurposeOf(exchange: Exchange): string | undefined {
  const purpose = memberOf(exchange.request.json, "operation_purpose");
  if (!isSuccess(exchange) || typeof purpose !== "string") return undefined;
  const isKept = memberOf(exchange.json, "operation_purpose") === purpose;
  return isKept && purpose.normalize("NFKC").replaceAll(/\s/g, "").toUpperCase() !== "EFX"
    ? purpose
    : undefined;
}
