import { listed } from "../../model/plural.ts";
import { typedAt } from "../../harness/judging/rules/members.ts";
import { successes } from "../../harness/judging/rules/successes.ts";
import { endpoints } from "../../spec/endpoints.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { requestSchemaOf, type ContractDocument, type Schema } from "../../spec/contract.ts";
import { isObject, valueAt, type Json } from "../../spec/json.ts";
import type { OperationName } from "../../spec/operations.ts";
import { memberRefusalAt } from "../../spec/refusals.ts";
import { kindsNamed, type Kind } from "./schemas.ts";

/** The kinds of body that an operation has. */
export type BodyKind = "request" | "success" | "error";

/** What the specification says of one place in a body. */
export interface Specified {
  /** The place as a JSON pointer, with 0 for the index of an element. */
  readonly place: string;
  readonly name: string;
  readonly requirement: RequirementId;
  /** The type in words: `string or null`. */
  readonly type: string;
  /** The kinds that are right, the one that a document must allow first. */
  readonly right: readonly Kind[];
  /** The requirement that a document breaks if it allows values of another kind. */
  readonly wrong: (kind: Kind) => RequirementId | undefined;
  /** The requirement that requests without the member are refused. */
  readonly omitted?: RequirementId | undefined;
  /**
   * What it means if the document does not name the member. `stated`: the document contradicts the
   * specification; `usual`: the document only says less; `optional`: nothing is wrong; `absent`:
   * the document is right, because it must not name the member.
   */
  readonly presence: "stated" | "usual" | "optional" | "absent";
  readonly format?: "date-time" | "double" | undefined;
  /** Values of which a document must allow at least one, for each entry. */
  readonly values: readonly SpecifiedValue[];
  readonly members: readonly Specified[];
  readonly element?: Specified | undefined;
}

export interface SpecifiedValue {
  readonly requirement: RequirementId;
  /** The value in words: `"pending_quote"`. */
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** A server that leaves the member out, or never has the value, breaks nothing. */
  readonly isLess?: true;
  /** The value is a currency pair. Each server may list other pairs. */
  readonly isPair?: true;
}

/** Some pairs that servers trade. Each server chooses its own. */
const usualPairs = "USDBRL EURBRL EURUSD GBPUSD USDJPY USDMXN BRLUSD USDEUR".split(" ");

/** Some forms of a time in RFC 3339. Each server chooses one. */
const usualTimes = ["Z", "+00:00"].flatMap((zone) =>
  ["", ".89", ".891", ".891234"].map((fraction) => `2025-03-04T05:06:07${fraction}${zone}`),
);

/** Whose body it is, and the contract, in which schemas refer to each other. */
interface Body {
  readonly name: OperationName;
  readonly kind: BodyKind;
  readonly contract: ContractDocument;
}

/** What the specification says of a body. Undefined if the operation has no such body. */
export function specifiedOf(body: Body): Specified | undefined {
  const { name, kind, contract } = body;
  const of = kind === "error" ? "Error" : (successes[name].schema ?? "AcamResult");
  const schema =
    kind === "request" ? requestSchemaOf(contract, name) : contract.components.schemas[of];
  return schema && specifiedAt(schema, "", "optional", body);
}

function specifiedAt(
  schema: Schema,
  place: string,
  presence: Specified["presence"],
  body: Body,
): Specified {
  const { kind, contract } = body;
  const isRequest = kind === "request";
  const whole = ([schema["anyOf"] ?? schema].flat() as readonly Schema[]).map(({ $ref, ...own }) =>
    typeof $ref === "string" ? (valueAt(contract as unknown as Json, $ref) as Schema) : own,
  );
  const types = whole.flatMap(({ type }) => [type].flat()) as readonly string[];
  const right = types.flatMap(kindsNamed);
  const { properties = {}, items, required, format } = whole[0] ?? {};
  const needed = required as readonly string[] | undefined;
  const isStrict = body.name === "createOperation" || !isRequest;
  const facts = kind === "success" ? successes[body.name].facts : [];
  const factsAt = (at: string) => facts.filter((fact) => fact.at.replaceAll("*", "0") === at);
  const requirement = isRequest ? endpoints[body.name].success : requirementAt(place, body);
  const members = Object.entries(properties as Readonly<Record<string, Schema>>);
  const child = ([member, one]: (typeof members)[number]): Specified => {
    const at = `${place}/${member}`;
    const isNeeded = factsAt(at).some((fact) => fact.isNeeded === true);
    // Where the specification marks members of a request as required, the others are optional.
    const isStated = needed?.includes(member) ?? isRequest;
    const otherwise = isNeeded ? "usual" : "optional";
    return specifiedAt(one, at, isStated ? "stated" : otherwise, body);
  };
  const purpose = `${place}/operation_purpose`;
  const absent = members.some(([one]) => one === "operation_purpose") ? [] : factsAt(purpose);
  return {
    place,
    name: nameOf(place) || "the body",
    requirement,
    type: listed(types, "or"),
    right,
    wrong: (found) => {
      if (right.includes(found) || !isStrict) return undefined;
      if (!isRequest) return requirement;
      return place === "" ? "OPER-32" : memberRefusalAt(place, found === "null" ? "null" : "type");
    },
    omitted: isRequest && isStrict ? memberRefusalAt(place, "omit") : undefined,
    presence,
    ...((format === "date-time" || (format === "double" && body.name === "createOperation")) && {
      format,
    }),
    values: [
      ...factsAt(place).flatMap(
        ({ requirement: id, value, repeats }): readonly SpecifiedValue[] => {
          const one = repeats === "operation_purpose" ? "EFX" : value;
          return one === undefined
            ? []
            : [{ requirement: id, text: JSON.stringify(one), values: [one] }];
        },
      ),
      ...usualAt(place, requirement, body),
    ],
    members: [...members.map(child), ...absent.map((fact) => absentAt(purpose, fact.requirement))],
    element: isObject(items) ? specifiedAt(items, `${place}/0`, "optional", body) : undefined,
  };
}

/** The last name of a JSON pointer. */
export const nameOf = (place: string): string => place.slice(place.lastIndexOf("/") + 1);

/** A member that must not be there. */
function absentAt(place: string, requirement: RequirementId): Specified {
  const none = { right: [], values: [], members: [], type: "", wrong: (): undefined => undefined };
  return { place, name: nameOf(place), requirement, presence: "absent", ...none };
}

function usualAt(
  place: string,
  requirement: RequirementId,
  { name: operation, kind }: Body,
): readonly SpecifiedValue[] {
  const name = nameOf(place);
  if (operation === "createOperation" && kind === "success" && place === "/intermediary_bank")
    return [{ requirement, text: "null", values: [null], isLess: true }];
  if (name === "currency_pair")
    return [{ requirement, text: 'pairs such as "USDBRL"', values: usualPairs, isPair: true }];
  if (name === "created_at")
    return [{ requirement, text: "times of RFC 3339", values: usualTimes }];
  const isPurpose = kind === "request" && name === "operation_purpose";
  return isPurpose ? [{ requirement, text: '"EFX"', values: ["EFX"] }] : [];
}

function requirementAt(place: string, { name, kind }: Body): RequirementId {
  const { types, facts } = successes[name];
  if (kind === "error") return endpoints[name].errorShape;
  return typedAt(types, place)?.requirement ?? facts[0]?.requirement ?? endpoints[name].success;
}
