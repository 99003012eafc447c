import { nonObjectBodies, sampleOf, type Generators } from "../../generators/index.ts";
import { typeNameOf } from "../../generators/mutations.ts";
import { withValue } from "../../generators/pointer.ts";
import { typedAt } from "../../harness/judging/rules/members.ts";
import { errorShapeOf } from "../../harness/judging/rules/message.ts";
import { starred, successes } from "../../harness/judging/rules/successes.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { isObject, valueAt, type Json, type Schema } from "../../spec/contract.ts";
import type { OperationName } from "../../spec/operations.ts";
import { memberRefusalAt } from "../../spec/refusals.ts";
import { allowsAt, validatorOf } from "./schemas.ts";

/** The bodies of an operation. */
export type BodyKind = "request" | "success" | "error";

/** A body of which the specification says that it is right, or that it is wrong at a place. */
export interface Probe {
  readonly requirement: RequirementId;
  /** JSON pointer. */
  readonly place: string;
  /** A document allows one of them if they are right, and none if they are wrong. */
  readonly bodies: readonly [Json, ...Json[]];
  readonly isRight: boolean;
  /** The member is always there: a document that does not name it contradicts that, or only says less (INT-37). */
  readonly isNeeded?: "required" | "usual" | undefined;
  /** The value is stated: no limit of a server may exclude it. */
  readonly isStated?: boolean;
}

/** The requirement that a valid request succeeds. */
export const successOf = {
  createToken: "AUTH-01",
  createCounterparty: "CPTY-01",
  createOperation: "OPER-01",
  addAcamItem: "ACAM-01",
  createBatch: "BATCH-01",
  listBatches: "BATCH-20",
} as const satisfies Record<OperationName, RequirementId>;

/** Pairs that servers trade. Each chooses its own. */
const usualPairs = ["USDBRL", "EURBRL", "EURUSD", "GBPUSD", "USDJPY", "USDMXN", "BRLUSD", "USDEUR"] as const;

const wrongAt = (requirement: RequirementId, place: string, body: Json): Probe => ({
  requirement,
  place,
  bodies: [body],
  isRight: false,
});

/** What clients may send, by our generators, and for an operation also what must be refused. */
export const requestProbes = (name: OperationName, generators: Generators): readonly Probe[] => {
  const common = { requirement: successOf[name], isRight: true };
  // This seed draws an account with an IBAN and one with a routing number.
  const [first = null, ...more] = sampleOf(generators.complete(name), { seed: 1, n: 2 });
  const sent = [first, ...more].flatMap((body) =>
    placesIn(body).map((place): Probe => ({ ...common, place, bodies: [body], isNeeded: "usual" })),
  );
  const stated = Object.entries({ "/operation_purpose": ["EFX"] as const, "/currency_pair": usualPairs })
    .filter(([place]) => valueAt(first, place) !== undefined)
    .map(([place, [value, ...others]]): Probe => {
      const at = (one: string): Json => withValue(first, place, one);
      return { ...common, place, bodies: [at(value), ...others.map(at)], isStated: true };
    });
  if (name !== "createOperation") return [...sent, ...stated];
  const changed = generators.mutations(name).flatMap(({ kind, pointer, apply }) => {
    const requirement = memberRefusalAt(pointer, kind);
    return requirement === undefined ? [] : [wrongAt(requirement, pointer, apply(first))];
  });
  return [...sent, ...stated, ...changed, ...nonObjectBodies.map(({ body }) => wrongAt("OPER-32", "", body))];
};

/** Values of every type. */
const values: readonly Json[] = [null, "text", 2.5, true, {}, []];

/** A response as a schema of the contract describes it, with every member, and the same with values of other types. */
export const responseProbes = (name: OperationName, isSuccess: boolean, schema: Schema): readonly Probe[] => {
  const ours = validatorOf(schema, { isRelaxed: false, keeps: ["required"], note: () => undefined });
  const { types, facts } = isSuccess ? successes[name] : { types: [], facts: [] };
  const stated = facts.flatMap(({ requirement, at, value, repeats }) => {
    const one = repeats === "operation_purpose" ? "EFX" : value;
    return one === undefined ? [] : [{ requirement, at, value: one }];
  });
  const right = stated.reduce((body, { at, value }) => withValue(body, at, value), valueOf(schema));
  const without = (place: string): Json => withValue(right, place, undefined);
  const probesAt = (place: string): readonly Probe[] => {
    const requirement = typedAt(types, place)?.requirement ?? facts[0]?.requirement ?? errorShapeOf[name];
    const isRequired = place !== "" && !allowsAt(ours(without(place)), place);
    const isFact = facts.some(({ at, isNeeded }) => at === starred(place) && isNeeded === true);
    const isNeeded = isRequired ? "required" : isFact ? "usual" : undefined;
    const type = typeNameOf(valueAt(right, place) ?? null);
    const wrong = values
      .filter((value) => type === "number" || typeNameOf(value) !== type)
      .map((value) => wrongAt(requirement, place, withValue(right, place, value)))
      .filter(({ bodies: [body] }) => !allowsAt(ours(body), place));
    return [{ requirement, place, bodies: [right], isRight: true, isNeeded }, ...wrong];
  };
  const exact = stated.map(({ requirement, at, value }): Probe => {
    // A null may be left out (INT-18).
    const others = value === null ? [without(at)] : [];
    return { requirement, place: at, bodies: [right, ...others], isRight: true, isStated: true };
  });
  const excess = facts
    .map(({ requirement, at }) => ({ requirement, place: at.replaceAll("*", "0") }))
    .filter(({ place }) => valueAt(right, place) === undefined)
    .map(({ requirement, place }) => wrongAt(requirement, place, withValue(right, place, "EFX")));
  return [...placesIn(right).flatMap(probesAt), ...exact, ...excess];
};

/** A value of a schema of the contract. The amount is neither whole nor a float of 32 bits. */
const valueOf = ({ anyOf, type, format, properties, items }: Schema): Json => {
  if (Array.isArray(anyOf)) return valueOf(anyOf[0] as Schema);
  if (isObject(items)) return [valueOf(items)];
  if (isObject(properties))
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valueOf(one as Schema)]));
  if (type === "integer") return 1;
  return type === "number" ? 1234.56 : format === "date-time" ? "2025-03-04T05:06:07.89Z" : "text";
};

/** Every place in a value, parents first. */
const placesIn = (value: Json, pointer = ""): readonly string[] =>
  typeof value !== "object" || value === null
    ? [pointer]
    : [pointer, ...Object.entries(value).flatMap(([name, one]: [string, Json]) => placesIn(one, `${pointer}/${name}`))];
