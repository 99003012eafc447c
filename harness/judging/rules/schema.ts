import type { RequirementId } from "../../../spec/catalogue.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { isObject, isSuccess, memberOf, type Exchange, type Json } from "../../../model/exchange.ts";
import type { Identities } from "../identities.ts";
import type { SchemaFault } from "../response-schemas.ts";
import { placeText, valueAt } from "../place-text.ts";
import { broken, classOf, holds, shown, titleOf, type Check, type Knowledge } from "./rule.ts";
import type { Judgement } from "../../../model/finding.ts";
import { adviceAt, memberFacts, starred, successSchemas } from "./members.ts";
import { isOfInvalidOperation, isOfInvalidRequest } from "./listed.ts";

/** Which requirement covers which place of a response: the first row whose pattern matches the JSON pointer. */
interface Place {
  readonly requirement: RequirementId;
  readonly at: RegExp;
}

const place = (requirement: RequirementId, at: RegExp): Place => ({ requirement, at });

/** Inside a batch, which is the response itself or an element of the list. */
const batchOperations = (prefix: string): readonly Place[] => [
  place("BATCH-31", new RegExp(`^${prefix}/operations/\\d+/created_at$`)),
  place("BATCH-32", new RegExp(`^${prefix}/operations/\\d+/bank_account(/|$)`)),
  place("BATCH-33", new RegExp(`^${prefix}/operations/\\d+/intermediary_bank(/|$)`)),
  place("BATCH-30", new RegExp(`^${prefix}/operations/\\d+/`)),
];

const listed = "/batches/\\d+";

/** The requirements on the places of each success that the contract types. */
const shapes: Readonly<Record<keyof typeof successSchemas, readonly Place[]>> = {
  createToken: [place("AUTH-01", /^/)],
  createCounterparty: [
    place("CPTY-01", /^\/id$/),
    place("CPTY-03", /^\/counterparty_address(\/|$)/),
    place("CPTY-04", /^\/bank_account(\/|$)/),
    place("CPTY-05", /^\/intermediary_bank(\/|$)/),
    place("CPTY-02", /^/),
  ],
  createOperation: [
    place("OPER-05", /^\/operation_id$/),
    place("OPER-11", /^\/bank_account(\/|$)/),
    place("OPER-12", /^\/intermediary_bank(\/|$)/),
    place("OPER-13", /^\/created_at$/),
    place("OPER-10", /^/),
  ],
  createBatch: [
    place("BATCH-01", /^\/id$/),
    place("BATCH-05", /^\/created_at$/),
    ...batchOperations(""),
    place("BATCH-04", /^/),
  ],
  listBatches: [
    place("BATCH-21", /^\/count$/),
    place("BATCH-22", /^\/total$/),
    place("BATCH-26", new RegExp(`^${listed}/created_at$`)),
    ...batchOperations(listed),
    place("BATCH-23", new RegExp(`^${listed}/operations(/|$)`)),
    place("BATCH-25", new RegExp(`^${listed}/`)),
    place("BATCH-20", /^/),
  ],
};

/** The requirements on the places of any success. */
export const shapeRequirements: readonly RequirementId[] = Object.values(shapes).flatMap((places) =>
  places.map(({ requirement }) => requirement),
);

/** Types, required members and date-times of successful responses, at any depth (INT-07 to INT-09). */
export const schema: Check = (exchange, known) => {
  if (exchange.operation === "addAcamItem" || !isSuccess(exchange) || exchange.json === undefined) return [];
  const places = shapes[exchange.operation];
  const others = memberFacts.filter(({ operation, value }) => operation === exchange.operation && value !== undefined);
  const violations = known.schemas[successSchemas[exchange.operation]](exchange.json)
    // A member with one right value has a rule of its own.
    .filter(({ pointer }) => !others.some(({ at }) => at === pointer) && !isOurs(exchange, pointer, known.identities))
    .map((fault) => violationOf(exchange, places, fault, known));
  const hurt = new Set(violations.map(({ requirement }) => requirement));
  const seen = placesIn(exchange.operation, exchange.json);
  return [...violations, ...[...seen].filter((requirement) => !hurt.has(requirement)).map(holds)];
};

/** Whether a pointer leads into a listed batch, or an operation in a batch, that an invalid request of ours may have made. */
const isOurs = (exchange: Exchange, pointer: string, identities: Identities): boolean => {
  const operation = /^(\/batches\/\d+)?\/operations\/\d+/.exec(pointer)?.[0];
  if (operation !== undefined && isOfInvalidOperation(valueAt(exchange.json, operation), identities)) return true;
  const element = exchange.operation === "listBatches" ? /^\/batches\/\d+/.exec(pointer)?.[0] : undefined;
  const batch = element === undefined ? undefined : valueAt(exchange.json, element);
  return batch !== undefined && isOfInvalidRequest(batch, identities);
};

const violationOf = (exchange: Exchange, places: readonly Place[], fault: SchemaFault, known: Knowledge): Judgement => {
  const requirement = places.find(({ at }) => at.test(fault.pointer))?.requirement;
  if (requirement === undefined) throw new Error(`No requirement speaks of ${fault.pointer} in ${exchange.operation}`);
  const value = valueAt(exchange.json, fault.pointer);
  const where = fault.pointer === "" ? "the body" : fault.pointer;
  const place = starred(where);
  const placed = fault.pointer === "" ? where : placeText(exchange.json, fault.pointer);
  const isText = fault.keyword === "format" && typeof value === "string";
  return broken(requirement, {
    message: `${titleOf(exchange)}: ${place} is not ${fault.expected}.`,
    expected: adviceAt(exchange, fault.pointer, known),
    actual: value === undefined ? `${placed} is absent` : `${placed} = ${shown(value)}`,
    pointer: fault.pointer,
    cause: { expected: `${place} is ${fault.expected}`, actual: isText ? "another text" : classOf(value) },
  });
};

/** The requirements whose place the response contains: only these can hold, because they could have failed. */
const placesIn = (operation: OperationName, json: Json): ReadonlySet<RequirementId> => {
  const found = new Set<RequirementId>();
  const when = (present: boolean, requirement: RequirementId): void => void (present && found.add(requirement));
  const has = (value: Json | undefined, name: string): boolean => memberOf(value, name) !== undefined;
  const seeBatch = (batch: Json, own: RequirementId, created: RequirementId): void => {
    when(isObject(batch), own);
    when(has(batch, "created_at"), created);
    const operations = memberOf(batch, "operations");
    if (!Array.isArray(operations)) return;
    for (const inner of operations as readonly Json[]) {
      when(isObject(inner), "BATCH-30");
      when(has(inner, "created_at"), "BATCH-31");
      when(has(inner, "bank_account"), "BATCH-32");
      when(has(inner, "intermediary_bank"), "BATCH-33");
    }
  };
  if (operation === "createCounterparty") {
    when(isObject(json), "CPTY-02");
    when(has(json, "counterparty_address"), "CPTY-03");
    when(has(json, "bank_account"), "CPTY-04");
    when(has(json, "intermediary_bank"), "CPTY-05");
  } else if (operation === "createOperation") {
    when(isObject(json), "OPER-10");
    when(has(json, "bank_account"), "OPER-11");
    when(has(json, "intermediary_bank"), "OPER-12");
    when(has(json, "created_at"), "OPER-13");
  } else if (operation === "createBatch") {
    seeBatch(json, "BATCH-04", "BATCH-05");
  } else if (operation === "listBatches") {
    const batches = memberOf(json, "batches");
    if (Array.isArray(batches)) for (const batch of batches as readonly Json[]) seeBatch(batch, "BATCH-25", "BATCH-26");
  }
  return found;
};
