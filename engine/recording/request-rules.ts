import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { BrokenRule } from "../../harness/judging/refusal.ts";
import { fieldOf, parsedJson, utf8 } from "../../model/exchange.ts";
import { isObject, valueAt } from "../../spec/json.ts";
import type { SentRequest } from "../../model/exchange.ts";
import type { Fields } from "../../model/request.ts";
import type { Json, JsonObject } from "../../spec/json.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { requestSchemaOf, type ContractDocument } from "../../spec/contract.ts";
import { operations, takesToken, type OperationName } from "../../spec/operations.ts";
import {
  inputKinds,
  memberRefusalAt,
  tokenRefusals,
  type TokenRefusals,
} from "../../spec/refusals.ts";

/**
 * The rules of the contract that the body of a request breaks (specification, Endpoints; INT-19,
 * INT-20, INT-40 to INT-42). `unclear`: the body may break a rule, or it is unclear which values of
 * it a response must repeat.
 */
export function bodyReading(
  operation: OperationName,
  request: SentRequest,
  schemas: RequestSchemas,
): readonly BrokenRule[] | "unclear" {
  if (!operations[operation].hasBody) return [];
  const isOperation = operation === "createOperation";
  const broken = (
    change: string,
    input: BrokenRule["input"],
    requirement: RequirementId | undefined,
  ): BrokenRule => ({
    change,
    input,
    ...(isOperation && requirement !== undefined && { refusal: { requirement, status: 400 } }),
  });
  const { body } = request;
  if (body === undefined || body.length === 0)
    return [broken("with an empty body", inputKinds.empty, "OPER-33")];
  const text = utf8(body);
  // Before they parse, many decoders replace bytes that are not UTF-8 and remove a byte order mark.
  if (text === undefined || text.startsWith("\ufeff")) return "unclear";
  const json = parsedJson(text);
  if (json === undefined)
    return [broken("whose body is not well-formed JSON", inputKinds.malformed, "OPER-34")];
  if (!isObject(json))
    return [broken("whose body is not an object", inputKinds.nonObject, "OPER-32")];
  const rules = schemas(operation, json).faults.map(({ kind, pointer }) =>
    broken(changes[kind](pointer), inputKinds[kind], memberRefusalAt(pointer, kind)),
  );
  if (rules.length > 0) return rules;
  return isPlain(json) && (!isOperation || isPlainOperation(json)) ? [] : "unclear";
}

const changes: Readonly<Record<BodyFault["kind"], (pointer: string) => string>> = {
  omit: (pointer) => `with ${pointer} left out`,
  null: (pointer) => `with null at ${pointer}`,
  type: (pointer) => `with another type at ${pointer}`,
};

/**
 * Whether every server that accepts a value returns it unchanged, because no server trims,
 * normalises or replaces it.
 */
function isPlain(value: Json): boolean {
  if (typeof value === "string")
    return (
      value !== "" &&
      value.trim().normalize() === value &&
      value.length <= longestText &&
      !/\p{C}/u.test(value)
    );
  if (Array.isArray(value)) return (value as readonly Json[]).every(isPlain);
  return isObject(value) ? Object.values(value).every(isPlain) : true;
}

/** The longest text, in characters, that every server stores in full. */
const longestText = 200;

/**
 * Whether an operation has a pair and a purpose in the usual spelling of codes, and an ordinary
 * amount.
 */
function isPlainOperation(body: JsonObject): boolean {
  const amount = Number(body["currency_amount"]);
  return (
    amount >= 1e-6 &&
    amount <= 2 ** 53 &&
    /^[A-Z]{6,10}$/.test(body["currency_pair"] as string) &&
    /^[\w .-]{1,100}$/.test(body["operation_purpose"] as string)
  );
}

/** Words that programs send in place of a token if they have none. */
const noTokens = new Set(["null", "undefined", "none", "nil", "NaN", "[object Object]"]);

/**
 * The rules that the credentials of a request break (INT-15, INT-17). `seen`: which credentials the
 * traffic shows at all. Others are not missed, because browsers leave headers out of recordings.
 */
export function credentialRules(
  operation: OperationName,
  { headers, url }: { readonly headers: Fields; readonly url: string },
  seen: { readonly tokens: boolean; readonly keys: boolean },
): readonly BrokenRule[] {
  const broken = (
    change: string,
    requirement: RequirementId,
    status?: 401,
  ): readonly BrokenRule[] => [{ change, refusal: { requirement, status } }];
  if (!takesToken(operation)) {
    const key = seen.keys ? fieldOf(headers, "x-api-key") : "unknown";
    if (key === undefined) return broken("without an API key", "AUTH-05");
    return key === "" ? broken("with an empty API key", "AUTH-06") : [];
  }
  if (!seen.tokens) return [];
  const { missing, madeUp, malformed, exactly }: TokenRefusals = tokenRefusals[operation];
  const value = fieldOf(headers, "authorization");
  // Nothing shows whether a token in the query or behind another scheme is good. So the milder rule
  // counts, that of good tokens: a server that accepts them here fails a SHOULD (INT-46).
  if (value === undefined)
    return new URL(url).searchParams.has("access_token")
      ? broken("with a token in the query alone", "AUTH-42")
      : broken("without an Authorization header", missing, exactly);
  const [scheme = "", ...rest] = value.trim().split(/ +/);
  const token = rest.join(" ");
  if (!/^bearer$/i.test(scheme))
    return token === "" ? [] : broken("with another scheme than Bearer", "AUTH-41");
  // No status is stated for a header without a token: any 4xx refuses it (INT-17).
  if (token === "") return broken("with the scheme Bearer and no token", malformed);
  return noTokens.has(token) ? broken(`with the word ${token} for a token`, madeUp, exactly) : [];
}

/**
 * A place where the body of a request differs from the contract: a member is missing, null or of a
 * wrong type.
 */
export interface BodyFault {
  readonly kind: "omit" | "null" | "type";
  readonly pointer: string;
}

export type RequestSchemas = ReturnType<typeof compileRequestSchemas>;

/**
 * Compiles the request schemas of the contract. Formats are left out, because they are not stated
 * rules. The result compares a body with them: it returns where the body differs (`faults`), and
 * the body without members that the contract does not name (`known`).
 */
export function compileRequestSchemas(document: ContractDocument) {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    ownProperties: true,
    validateFormats: false,
    removeAdditional: "all",
  });
  ajv.addSchema(document, "api");
  return (operation: OperationName, body: Json) => {
    const reference = requestSchemaOf(document, operation)?.["$ref"];
    // Ajv compiles the schema at the first call.
    const validate = typeof reference === "string" ? ajv.getSchema(`api${reference}`) : undefined;
    const known = structuredClone(body);
    if (validate === undefined || validate(known) === true) return { faults: [], known };
    return { faults: (validate.errors ?? []).flatMap((error) => faultOf(error, body)), known };
  };
}

function faultOf({ keyword, instancePath, params }: ErrorObject, body: Json): readonly BodyFault[] {
  if (keyword === "required")
    return [{ kind: "omit", pointer: `${instancePath}/${String(params["missingProperty"])}` }];
  if (keyword !== "type") return [];
  return [{ kind: valueAt(body, instancePath) === null ? "null" : "type", pointer: instancePath }];
}
