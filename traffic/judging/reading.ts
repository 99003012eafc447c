import { invalid, jsonOf, valid, type Exchange, type Intent, type Json } from "../../model/exchange.ts";
import type { ContractDocument } from "../../spec/contract.ts";
import { exemptionOf } from "../../harness/judging/rules/index.ts";
import { inputKindOf } from "../../spec/refusals.ts";
import type { Match } from "../addresses.ts";
import { bodyReading } from "../requests/body-rules.ts";
import { credentialRules, type CredentialsSeen } from "../requests/credential-rules.ts";
import type { BrokenRule } from "../../harness/judging/rules/refusals.ts";
import { compileRequestSchemas, requestSchemaOf } from "../requests/schemas.ts";
import type { Watched } from "../watched.ts";
import type { Purposes } from "./purposes.ts";

/** What the traffic shows of one server as a whole. */
export interface Facts {
  readonly seen: CredentialsSeen;
  readonly purposes: Pick<Purposes, "brokenBy">;
}

/** An exchange with the rules that its request breaks. */
export interface ReadExchange {
  /** Its clock, `at`, counts the milliseconds since the epoch. */
  readonly exchange: Exchange;
  readonly rules: readonly BrokenRule[];
}

/** Turns watched requests and responses into exchanges, with what is known about the server. */
export type Reading = (watched: Watched, match: Match, facts: Facts) => ReadExchange;

export const createReading = (document: ContractDocument): Reading => {
  const requestSchemas = compileRequestSchemas(document);
  return (watched, match, facts) => {
    const { request, response } = watched;
    const { operation } = match;
    const exemptBy = match.exemptBy ?? exemptionOf({ operation, request, response });
    const isUnknown = watched.withoutRequestBody && requestSchemaOf(document, operation) !== undefined;
    const body = isUnknown ? ({ kind: "unclear" } as const) : bodyReading(operation, request, requestSchemas);
    const rules =
      exemptBy === undefined
        ? [...credentialRules(operation, request.headers, facts.seen), ...(body.kind === "broken" ? body.rules : [])]
        : [];
    let json: { readonly value: Json | undefined } | undefined;
    const exchange: Exchange = {
      id: 0,
      operation,
      intent: intentOf(rules, body.kind === "unclear"),
      scenario: watched.place.replace(/, .*$/, ""),
      request: { ...request, json: request.json && requestSchemas(operation, request.json).known },
      response,
      at: watched.startedAt,
      // Parsed only when needed: learning from a list does not need its thousands of batches.
      get json() {
        return (json ??= { value: jsonOf(response) }).value;
      },
      exemptBy,
    };
    return { exchange, rules: [...rules, ...facts.purposes.brokenBy(exchange)] };
  };
};

/** The intent that decides what the response is judged for. */
const intentOf = (rules: readonly BrokenRule[], isUnclear: boolean): Intent => {
  const [first] = rules;
  if (first !== undefined)
    return invalid(first.change, first.input ?? (first.refusal && inputKindOf(first.refusal.requirement)));
  return isUnclear ? invalid("that cannot be classified") : valid;
};
