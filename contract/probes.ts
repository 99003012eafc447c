import { nonObjectBodies, sampleOf, type Generators } from "../generators/index.ts";
import { withValue } from "../generators/pointer.ts";
import { typedAt } from "../harness/judging/rules/members.ts";
import { errorShapeOf } from "../harness/judging/rules/message.ts";
import { starred, successes } from "../harness/judging/rules/successes.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { isObject, memberOf, valueAt, type ContractDocument, type Json, type Schema } from "../spec/contract.ts";
import { operations, type OperationName } from "../spec/operations.ts";
import { memberRefusals, type operationMembers } from "../spec/refusals.ts";
import { allowsAt, typeOf, validatorOf } from "./schemas.ts";

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

/** What the specification says of a body, parents of a place first. The contract has no references. */
export const probesOf = (
  contract: ContractDocument,
  name: OperationName,
  kind: BodyKind,
  generators: Generators,
): readonly Probe[] => {
  const { method, path } = operations[name];
  const operation = contract.paths[path]?.[method === "GET" ? "get" : "post"];
  if (kind === "request") {
    const { examples = {} } = operation?.requestBody?.content?.["application/json"] ?? {};
    return requestProbes(
      name,
      generators,
      Object.values(examples).flatMap((one) => memberOf(one, "value") ?? []),
    );
  }
  const digit = kind === "success" ? "2" : "4";
  const [, response] = Object.entries(operation?.responses ?? {}).find(([key]) => key.startsWith(digit)) ?? [];
  return responseProbes(name, kind, response?.content?.["application/json"]?.schema ?? {});
};

/** Pairs that servers trade. Each chooses its own. */
const usualPairs = ["USDBRL", "EURBRL", "EURUSD", "GBPUSD", "USDJPY", "USDMXN", "BRLUSD", "USDEUR"];

/** What clients may send, by our generators and examples, and for an operation also what must be refused. */
const requestProbes = (name: OperationName, generators: Generators, examples: readonly Json[]): readonly Probe[] => {
  const requirement = successOf[name];
  const drawn = sampleOf(generators.complete(name), { seed: 32, n: 3 });
  const all = [...drawn, ...examples].flatMap((body) =>
    placesIn(body).map((place): Probe => ({ requirement, place, bodies: [body], isRight: true, isNeeded: "usual" })),
  );
  const [first = {}] = drawn;
  const stated = (place: string, ...[value, ...others]: readonly [Json, ...Json[]]): readonly Probe[] => {
    const at = (one: Json): Json => withValue(first, place, one);
    if (valueAt(first, place) === undefined) return [];
    return [{ requirement, place, bodies: [at(value), ...others.map(at)], isRight: true, isStated: true }];
  };
  const right = [...all, ...stated("/operation_purpose", "EFX"), ...stated("/currency_pair", "USDBRL", ...usualPairs)];
  if (name !== "createOperation") return right;
  const wrong = generators.mutations(name).map(({ kind, pointer, apply }): Probe => {
    const member = pointer.slice(1) as (typeof operationMembers)[number];
    return { requirement: memberRefusals[kind][member], place: pointer, bodies: [apply(first)], isRight: false };
  });
  const nonObjects = nonObjectBodies.map(({ body }): Probe => ({
    requirement: "OPER-32",
    place: "",
    bodies: [body],
    isRight: false,
  }));
  return [...right, ...wrong, ...nonObjects];
};

/** Values of every type. */
const values: readonly Json[] = [null, "text", 2.5, true, {}, []];

/** A response as the contract describes it, with every member, and the same with values of other types. */
const responseProbes = (name: OperationName, kind: BodyKind, schema: Schema): readonly Probe[] => {
  const reading = { isRelaxed: false, keeps: new Set(["required"]), note: () => undefined };
  const ours = validatorOf(schema, reading);
  const { types, facts } = kind === "success" ? successes[name] : { types: [], facts: [] };
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
    const type = typeOf(valueAt(right, place) ?? null);
    const wrong = values
      .filter((value) => type === "number" || typeOf(value) !== type)
      .map((value) => withValue(right, place, value))
      .filter((body) => !allowsAt(ours(body), place))
      .map((body): Probe => ({ requirement, place, bodies: [body], isRight: false }));
    return [{ requirement, place, bodies: [right], isRight: true, isNeeded }, ...wrong];
  };
  return [
    ...placesIn(right).flatMap(probesAt),
    // A null may be left out (INT-18).
    ...stated.map(({ requirement, at, value }): Probe => {
      const others = value === null ? [without(at)] : [];
      return { requirement, place: at, bodies: [right, ...others], isRight: true, isStated: true };
    }),
    ...facts.flatMap(({ requirement, at }): readonly Probe[] => {
      const place = at.replaceAll("*", "0");
      if (valueAt(right, place) !== undefined) return [];
      return [{ requirement, place, bodies: [withValue(right, place, "EFX")], isRight: false }];
    }),
  ];
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
