import {
  isObject,
  memberOf,
  parsedJson,
  utf8,
  type Json,
  type Refusal,
  type SentRequest,
} from "../../model/exchange.ts";
import type { OperationName } from "../../spec/operations.ts";
import { inputKinds, memberRefusals, operationMembers } from "../../spec/refusals.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { BrokenRule } from "../../harness/judging/rules/refusals.ts";
import type { BodyFault, RequestSchemas } from "./schemas.ts";

/** What the body of a request shows. `unclear`: it may break a rule or not, or it is unclear what must come back. */
export type BodyReading =
  | { readonly kind: "right" }
  | { readonly kind: "unclear" }
  | { readonly kind: "broken"; readonly rules: readonly BrokenRule[] };

/** Checks the body of a request against the contract (specification, Endpoints; INT-19, INT-20, INT-40 to INT-42). */
export const bodyReading = (operation: OperationName, request: SentRequest, schemas: RequestSchemas): BodyReading => {
  if (operation === "createToken" || operation === "listBatches") return { kind: "right" };
  const { body } = request;
  const refusedAs = (requirement: RequirementId): { readonly refusal?: Refusal } =>
    operation === "createOperation" ? { refusal: { requirement, status: 400 } } : {};
  if (body === undefined || body.length === 0)
    return broken({ change: "with an empty body", input: inputKinds.empty, ...refusedAs("OPER-33") });
  const text = utf8(body);
  // Many decoders replace bytes that are not UTF-8, and remove a byte order mark, before parsing.
  if (text === undefined || text.startsWith("\ufeff")) return { kind: "unclear" };
  const json = parsedJson(text);
  if (json === undefined)
    return broken({
      change: "whose body is not well-formed JSON",
      input: inputKinds.malformed,
      ...refusedAs("OPER-34"),
    });
  if (!isObject(json))
    return broken({ change: "whose body is not an object", input: inputKinds.nonObject, ...refusedAs("OPER-32") });
  const { faults } = schemas(operation, json);
  if (faults.length > 0) return { kind: "broken", rules: faults.map((fault) => faultRule(operation, fault)) };
  const doubts = operation === "createOperation" ? doubtsOf(json) : [];
  if (doubts.length > 0) return { kind: "broken", rules: doubts };
  return isPlain(json) && (operation !== "createOperation" || isPlainOperation(json))
    ? { kind: "right" }
    : { kind: "unclear" };
};

const broken = (rule: BrokenRule): BodyReading => ({ kind: "broken", rules: [rule] });

const faultRule = (operation: OperationName, { kind, pointer }: BodyFault): BrokenRule => {
  const member = operationMembers.find((name) => pointer === `/${name}`);
  const refusal =
    operation === "createOperation" && member !== undefined
      ? { refusal: { requirement: memberRefusals[kind][member], status: 400 } as const }
      : {};
  const change =
    kind === "omit"
      ? `with ${pointer} left out`
      : kind === "null"
        ? `with null at ${pointer}`
        : `with another type at ${pointer}`;
  return { change, input: inputKinds[kind], ...refusal };
};

/** What good practice refuses, although the specification does not say so (INT-20). */
const doubtsOf = (json: Json): readonly BrokenRule[] => {
  const [amount, pair, counterparty] = ["currency_amount", "currency_pair", "counterparty_id"].map((name) =>
    memberOf(json, name),
  );
  const doubt = (requirement: RequirementId, change: string): BrokenRule => ({
    change,
    refusal: { requirement },
    isDoubtful: true,
  });
  return [
    ...(amount === 0 ? [doubt("OPER-40", "with an amount of zero")] : []),
    ...(typeof amount === "number" && amount < 0 ? [doubt("OPER-41", "with a negative amount")] : []),
    ...(typeof pair === "string" && isNoPair(pair) ? [doubt("OPER-42", "with a malformed pair")] : []),
    ...(typeof pair === "string" && isUnknownPair(pair) ? [doubt("OPER-43", "with a pair of unknown currencies")] : []),
    ...(counterparty === "" ? [doubt("OPER-44", "with an empty counterparty id")] : []),
  ];
};

/**
 * Only letters, but too few for two codes or one too many. Any other text may be a spelling that the server accepts.
 */
const isNoPair = (pair: string): boolean => /^[A-Za-z]*$/.test(pair) && (pair.length < 6 || pair.length === 7);

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** Two codes that both belong to no currency. */
const isUnknownPair = (pair: string): boolean =>
  /^[A-Z]{6}$/.test(pair) && !currencies.has(pair.slice(0, 3)) && !currencies.has(pair.slice(3));

/**
 * Values that every server returns unchanged if it accepts them: no trimming, normalising or replacing changes them.
 */
const isPlain = (value: Json): boolean => {
  if (typeof value === "string") return isPlainText(value);
  if (Array.isArray(value)) return (value as readonly Json[]).every(isPlain);
  return isObject(value) ? Object.values(value).every(isPlain) : true;
};

const isPlainText = (text: string): boolean =>
  text !== "" &&
  text.trim() === text &&
  text.normalize() === text &&
  text.length <= longestText &&
  !/\p{C}/u.test(text);

/** The longest text, in characters, that every server keeps whole. */
const longestText = 200;

/** A pair and a purpose as codes are written, and an amount that is no test of numbers. */
const isPlainOperation = (json: Json): boolean => {
  const [amount, pair, purpose] = ["currency_amount", "currency_pair", "operation_purpose"].map((name) =>
    memberOf(json, name),
  );
  return (
    typeof amount === "number" &&
    amount >= 1e-6 &&
    amount <= 2 ** 53 &&
    typeof pair === "string" &&
    /^[A-Z]{6,10}$/.test(pair) &&
    typeof purpose === "string" &&
    /^[\w .-]{1,100}$/.test(purpose)
  );
};
