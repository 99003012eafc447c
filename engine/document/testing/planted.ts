import { parse, stringify } from "yaml";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { Loose } from "./mutations.ts";

type WayInDocument = readonly (string | number)[];

/**
 * A value in a document, and the way to it: the names and indexes that lead there from the root.
 */
interface DocumentPart {
  readonly way: WayInDocument;
  readonly value: Loose;
}

/**
 * A mistake that can be planted in the document of any framework, whatever the names of its schemas
 * are.
 */
export interface Planted {
  readonly requirement: RequirementId;
  /** The verdict, if the mistake only warns. */
  readonly verdict?: "warn";
  readonly says: RegExp | string;
  /** Plants the mistake, and returns the way to the place where the finding has to point. */
  readonly plant: (document: FrameworkDocument) => WayInDocument;
}

const creation = "/corporate/operation";
const registration = "/customers/{customer_id}/counterparty";
const media = "application/json";

/** The text of a document in the form in which its framework writes it. */
export function textOf(document: Loose, isYaml: boolean): string {
  return isYaml
    ? stringify(document, { lineWidth: 0 })
    : `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The line of the value at the end of a way: the first line that changes when the value does. */
export function lineOf(document: Loose, way: WayInDocument, isYaml: boolean): number {
  const changed = structuredClone(document);
  let around = changed;
  for (const part of way.slice(0, -1)) around = around[part];
  around[way.at(-1) ?? ""] = "another value";
  const lines = textOf(document, isYaml).split("\n");
  const others = textOf(changed, isYaml).split("\n");
  return 1 + lines.findIndex((line, index) => line !== others[index]);
}

/** Returns a way in the form that a finding has for its pointer: `#/paths/~1batches`. */
export function pointerOf(way: WayInDocument): string {
  return `#${way.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")}`;
}

/**
 * The document of a framework. Its functions find parts such as the request of an operation,
 * whatever the names of the schemas are.
 */
export class FrameworkDocument {
  readonly document: Loose;

  constructor(text: string) {
    this.document = parse(text);
  }

  get is30(): boolean {
    return this.document.openapi.startsWith("3.0");
  }

  at(...way: WayInDocument): DocumentPart {
    return this.#followed(way);
  }

  operation(path: string, method = "post"): DocumentPart {
    return this.at("paths", path, method);
  }

  request(path: string): DocumentPart {
    return this.at("paths", path, "post", "requestBody", "content", media, "schema");
  }

  response(path: string, status: RegExp, method = "post"): DocumentPart {
    const { way, value } = this.at("paths", path, method, "responses");
    const found = Object.keys(value).find((one) => status.test(one));
    if (found === undefined) throw new Error(`no response ${status.source} of ${path}`);
    return this.at(...way, found, "content", media, "schema");
  }

  /**
   * Returns the schema that names a member: the given one, or one that it combines. Throws if none
   * does.
   */
  holder({ way, value }: DocumentPart, name: string): DocumentPart {
    if (value.properties?.[name] !== undefined) return { way, value };
    const parts = (value.allOf ?? []).map((_: Loose, index: number) =>
      this.at(...way, "allOf", index),
    );
    const found = parts.find((part: DocumentPart) => part.value.properties?.[name] !== undefined);
    if (found === undefined) throw new Error(`no member ${name} at ${pointerOf(way)}`);
    return found;
  }

  /** Returns a member of a schema, after its references are followed. */
  member(part: DocumentPart, name: string): DocumentPart {
    return this.at(...this.holder(part, name).way, "properties", name);
  }

  /**
   * Returns the part at the end of a way. Follows references, `allOf` with one schema, and a choice
   * between one schema and null.
   */
  #followed(way: WayInDocument): DocumentPart {
    let value = this.document;
    let current: WayInDocument = [];
    const step = (part: string | number): void => {
      value = value[part];
      current = [...current, part];
      if (value === undefined) throw new Error(`nothing at ${pointerOf(current)}`);
    };
    const resolve = (): void => {
      for (;;) {
        if (typeof value.$ref === "string") {
          current = value.$ref.slice(2).split("/");
          value = current.reduce((whole, part) => whole[part], this.document);
        } else if (value.allOf?.length === 1) ["allOf", 0].forEach(step);
        else if (value.anyOf?.[1]?.type === "null") ["anyOf", 0].forEach(step);
        else return;
      }
    };
    for (const part of way) {
      step(part);
      resolve();
    }
    return { way: current, value };
  }
}

/** Renames a member without moving it, so that the lines before it stay as they are. */
function rename(object: Loose, from: string, to: string): void {
  const entries = Object.entries(object);
  for (const [name] of entries) delete object[name];
  for (const [name, value] of entries) object[name === from ? to : name] = value;
}

function renameMember(schema: Loose, from: string, to: string): void {
  rename(schema.properties, from, to);
  schema.required &&= schema.required.map((name: string) => (name === from ? to : name));
}

function dropMember(schema: Loose, name: string): void {
  delete schema.properties[name];
  schema.required &&= schema.required.filter((one: string) => one !== name);
}

function parameter(name: string, place: string) {
  return {
    name,
    in: place,
    required: true,
    schema: { type: "string" },
  };
}

/** Adds a required parameter to an operation, and returns the way to its `required`. */
function addParameter({ way, value }: DocumentPart, name: string, place: string): WayInDocument {
  value.parameters = [...(value.parameters ?? []), parameter(name, place)];
  return [...way, "parameters", value.parameters.length - 1, "required"];
}

/**
 * Makes the creation of operations ask for the credentials that `change` returns. Returns the way
 * to them, or to the one with the index.
 */
function secure(
  all: FrameworkDocument,
  change: (own: Loose) => readonly Loose[],
  index?: number,
): WayInDocument {
  const { way, value } = all.operation(creation);
  const [own] = value.security;
  all.document.components.securitySchemes.login = { type: "http", scheme: "basic" };
  value.security = change(own);
  return [...way, "security", ...(index === undefined ? [] : [index])];
}

/** Changes a keyword of a schema, and returns the way to the keyword. */
function change({ way, value }: DocumentPart, keyword: string, to: Loose): WayInDocument {
  value[keyword] = to;
  return [...way, keyword];
}

const batches = (all: FrameworkDocument): DocumentPart => all.response("/batches", /^2/, "get");
function elementsOf(all: FrameworkDocument, { way }: DocumentPart, name: string): DocumentPart {
  return all.at(...way, "properties", name, "items");
}
function batchOperation(all: FrameworkDocument): DocumentPart {
  return elementsOf(all, elementsOf(all, batches(all), "batches"), "operations");
}
const created = (all: FrameworkDocument): DocumentPart => all.response(creation, /^200/);

const types: Readonly<Record<string, Planted>> = {
  "the amount as a text": {
    requirement: "OPER-01",
    says: "type is string, must be number",
    plant: (all) => {
      const amount = all.member(all.request(creation), "currency_amount");
      delete amount.value.format;
      return change(amount, "type", "string");
    },
  },
  "an amount as a whole number": {
    requirement: "OPER-01",
    says: "type is integer, must be number",
    plant: (all) => {
      const amount = all.member(all.request(creation), "currency_amount");
      delete amount.value.format;
      return change(amount, "type", "integer");
    },
  },
  "the amount of an item as a whole number": {
    requirement: "ACAM-01",
    says: "type is integer, must be number",
    plant: (all) => {
      const item = all.request("/corporate/operation/{operation_id}/acam");
      const amount = all.member(item, "local_currency_amount");
      delete amount.value.format;
      return change(amount, "type", "integer");
    },
  },
  "an amount as a float": {
    requirement: "OPER-01",
    says: "format is float, amounts need double",
    plant: (all) => change(all.member(all.request(creation), "currency_amount"), "format", "float"),
  },
  "an account number that is a number": {
    requirement: "OPER-11",
    says: "type is integer, must be string",
    plant: (all) =>
      change(
        all.member(all.member(created(all), "bank_account"), "account_number"),
        "type",
        "integer",
      ),
  },
  "an account number that may be null": {
    requirement: "OPER-11",
    says: "type is string or null, must be string",
    plant: (all) => {
      const number = all.member(all.member(created(all), "bank_account"), "account_number");
      return all.is30
        ? change(number, "nullable", true)
        : change(number, "type", ["string", "null"]);
    },
  },
  "an error with another member": {
    requirement: "OPER-17",
    says: "no member message, must have message (string)",
    plant: (all) => {
      const { way, value } = all.response(creation, /^400/);
      renameMember(value, "message", "detail");
      return [...way, "properties"];
    },
  },
  "an error that may have another shape": {
    requirement: "OPER-17",
    says: "no member message, must have message (string)",
    plant: (all) => {
      const way = ["paths", creation, "post", "responses", "400", "content", media] as const;
      const { value } = all.at(...way);
      const other = { type: "object", properties: { detail: { type: "string" } } };
      value.schema = { anyOf: [value.schema, other] };
      return [...way, "schema", "anyOf", 1, "properties"];
    },
  },
  "a day in place of a time": {
    requirement: "OPER-13",
    says: "format is date, must be date-time",
    plant: (all) => change(all.member(created(all), "created_at"), "format", "date"),
  },
  "a time whose pattern excludes RFC 3339": {
    requirement: "OPER-13",
    says: "must allow times of RFC 3339",
    plant: (all) => {
      const time = all.member(created(all), "created_at");
      delete time.value.format;
      return change(time, "pattern", String.raw`^\d{2}\.\d{2}\.\d{4}$`);
    },
  },
  "a time as a number": {
    requirement: "OPER-13",
    says: "type is integer, must be string",
    plant: (all) => {
      const time = all.member(created(all), "created_at");
      delete time.value.format;
      return change(time, "type", "integer");
    },
  },
  "pairs of another form in requests": {
    requirement: "OPER-01",
    says: 'must allow pairs such as "USDBRL"',
    plant: (all) =>
      change(all.member(all.request(creation), "currency_pair"), "pattern", "^[A-Z]{3}/[A-Z]{3}$"),
  },
  "pairs of another form in responses": {
    requirement: "OPER-10",
    says: 'must allow pairs such as "USDBRL"',
    plant: (all) =>
      change(all.member(created(all), "currency_pair"), "enum", ["USD-BRL", "EUR-BRL"]),
  },
  "a list of statuses without the first": {
    requirement: "OPER-02",
    says: 'must allow "pending_quote"',
    plant: (all) => change(all.member(created(all), "status"), "enum", ["PENDING"]),
  },
  "purposes without EFX": {
    requirement: "OPER-01",
    says: 'must allow "EFX"',
    plant: (all) =>
      change(all.member(all.request(creation), "operation_purpose"), "enum", ["IMPORT"]),
  },
  "an id in the path that is a number": {
    requirement: "CPTY-01",
    says: "type is integer, must be string",
    plant: (all) => {
      const way = [...all.operation(registration).way, "parameters", 0, "schema"];
      return change(all.at(...way), "type", "integer");
    },
  },
};

const members: Readonly<Record<string, Planted>> = {
  "another name of the list": {
    requirement: "BATCH-20",
    says: "found results, expected batches",
    plant: (all) => {
      const { way, value } = all.holder(batches(all), "batches");
      renameMember(value, "batches", "results");
      return [...way, "properties", "results"];
    },
  },
  "a longer name of an id": {
    requirement: "CPTY-01",
    says: "found counterparty_id, expected id",
    plant: (all) => {
      const { way, value } = all.holder(all.response(registration, /^2/), "id");
      renameMember(value, "id", "counterparty_id");
      return [...way, "properties", "counterparty_id"];
    },
  },
  "camel case": {
    requirement: "OPER-01",
    says: "found currencyPair, expected currency_pair",
    plant: (all) => {
      const { way, value } = all.request(creation);
      renameMember(value, "currency_pair", "currencyPair");
      return [...way, "properties", "currencyPair"];
    },
  },
  "a purpose in batches": {
    requirement: "BATCH-34",
    says: "a member operation_purpose, must not have it",
    plant: (all) => {
      const { way, value } = batchOperation(all);
      value.properties.operation_purpose = { type: "string" };
      return [...way, "properties", "operation_purpose"];
    },
  },
  "a member that is not required": {
    requirement: "OPER-23",
    says: "counterparty_id is not in required, must be in required",
    plant: (all) => {
      const { way, value } = all.request(creation);
      value.required = value.required.filter((name: string) => name !== "counterparty_id");
      return [...way, "required"];
    },
  },
  "a member of the request that is gone": {
    requirement: "ACAM-01",
    says: "no member merchant, must have merchant (string)",
    plant: (all) => {
      const { way, value } = all.request("/corporate/operation/{operation_id}/acam");
      dropMember(value, "merchant");
      return [...way, "properties"];
    },
  },
  "a closed request without a stated member": {
    requirement: "OPER-01",
    says: "no member currency_pair, must have currency_pair (string)",
    plant: (all) => {
      const { way, value } = all.request(creation);
      dropMember(value, "currency_pair");
      value.additionalProperties = false;
      return [...way, "properties"];
    },
  },
  "a closed response without a stated member": {
    requirement: "OPER-10",
    says: "additionalProperties is false, and customer_id is not among the members",
    plant: (all) => {
      const { way, value } = created(all);
      dropMember(value, "customer_id");
      value.additionalProperties = false;
      return [...way, "additionalProperties"];
    },
  },
  "a member of the body that nobody knows": {
    requirement: "OPER-01",
    says: "requires channel, must not: the specification has no such member",
    plant: (all) => {
      const { way, value } = all.request(creation);
      value.properties.channel = { type: "string" };
      value.required.push("channel");
      return [...way, "required", value.required.length - 1];
    },
  },
};

const operations: Readonly<Record<string, Planted>> = {
  "an operation that is missing": {
    requirement: "BATCH-20",
    says: "no GET /batches, must have GET /batches",
    plant: (all) => {
      delete all.document.paths["/batches"].get;
      return ["paths"];
    },
  },
  "a path in the plural": {
    requirement: "OPER-01",
    says: "found POST /corporate/operations, expected POST /corporate/operation",
    plant: (all) => {
      rename(all.document.paths, creation, "/corporate/operations");
      return ["paths", "/corporate/operations"];
    },
  },
  "a slash at the end": {
    requirement: "AUTH-01",
    says: "the path ends with a slash",
    plant: (all) => {
      rename(all.document.paths, "/auth/token", "/auth/token/");
      return ["paths", "/auth/token/"];
    },
  },
  "another prefix": {
    requirement: "OPER-01",
    says: "found POST /v2/corporate/operation, expected POST /corporate/operation",
    plant: (all) => {
      rename(all.document.paths, creation, `/v2${creation}`);
      return ["paths", `/v2${creation}`];
    },
  },
  "another method": {
    requirement: "OPER-01",
    says: "found PUT /corporate/operation, expected POST",
    plant: (all) => {
      rename(all.document.paths[creation], "post", "put");
      return ["paths", creation, "put"];
    },
  },
  "another status of success": {
    requirement: "OPER-01",
    says: "response 201, must be response 200",
    plant: (all) => {
      const { way, value } = all.at("paths", creation, "post", "responses");
      // JavaScript sorts names that are numbers, so that `rename` could not keep the place of one.
      const { 200: success, ...others } = value;
      all.operation(creation).value.responses = { 201: success, ...others };
      return [...way, "201"];
    },
  },
  "no response 401": {
    requirement: "AUTH-20",
    verdict: "warn",
    says: "no response 401",
    plant: (all) => {
      const { way, value } = all.at("paths", creation, "post", "responses");
      delete value["401"];
      return way;
    },
  },
  "a body of GET": {
    requirement: "BATCH-20",
    says: "a body of GET, must have no body",
    plant: (all) => {
      const { way, value } = all.operation("/batches", "get");
      value.requestBody = { content: { [media]: { schema: { type: "object" } } } };
      return [...way, "requestBody"];
    },
  },
  "a body for the token": {
    requirement: "AUTH-02",
    says: "requires a body, must not",
    plant: (all) => {
      const { way, value } = all.operation("/auth/token");
      value.requestBody = { required: true, content: { [media]: { schema: { type: "object" } } } };
      return [...way, "requestBody", "required"];
    },
  },
  "a body that may be left out": {
    requirement: "OPER-33",
    says: "required is not true, must be true",
    plant: (all) => change(all.at("paths", creation, "post", "requestBody"), "required", false),
  },
  "another media type": {
    requirement: "HTTP-01",
    says: "content is text/xml, must have application/json",
    plant: (all) => {
      const { way, value } = all.at("paths", creation, "post", "responses", "200", "content");
      rename(value, media, "text/xml");
      return way;
    },
  },
  "a query that is required": {
    requirement: "OPER-01",
    says: "requires tenant in query, must not",
    plant: (all) => addParameter(all.operation(creation), "tenant", "query"),
  },
  "a header that is required": {
    requirement: "BATCH-20",
    says: "requires X-Tenant in header, must not",
    plant: (all) => addParameter(all.operation("/batches", "get"), "X-Tenant", "header"),
  },
  "a server without TLS": {
    requirement: "HTTP-07",
    says: 'url is "http://fx.example", must start with https:',
    plant: (all) => {
      all.document.servers = [{ url: "http://fx.example" }];
      return ["servers", 0, "url"];
    },
  },
};

const credentials: Readonly<Record<string, Planted>> = {
  "another scheme": {
    requirement: "AUTH-20",
    says: "must ask for the bearer token",
    plant: (all) => secure(all, () => [{ login: [] }], 0),
  },
  "another scheme among the alternatives": {
    requirement: "AUTH-20",
    says: 'security has {"login":[]}, must ask for the bearer token',
    plant: (all) => secure(all, (own) => [own, { login: [] }], 1),
  },
  "no credentials among the alternatives": {
    requirement: "AUTH-20",
    says: "security has {}, must ask for the bearer token",
    plant: (all) => secure(all, (own) => [own, {}], 1),
  },
  "an operation without credentials": {
    requirement: "AUTH-20",
    says: "security is [], must ask for the bearer token",
    plant: (all) => secure(all, () => []),
  },
  "an operation that says nothing of credentials": {
    requirement: "AUTH-20",
    says: "no security, must ask for the bearer token",
    plant: (all) => {
      const { way, value } = all.operation(creation);
      delete value.security;
      return way;
    },
  },
  "a token that is optional": {
    requirement: "AUTH-20",
    says: "Authorization is optional, must be required",
    plant: (all) => {
      const { way, value } = all.operation(creation);
      delete value.security;
      value.parameters = [{ ...parameter("Authorization", "header"), required: false }];
      return [...way, "parameters", 0, "required"];
    },
  },
};

/** Mistakes of each kind that a document may have, by name. */
export const planted: Readonly<Record<string, Planted>> = {
  ...types,
  ...members,
  ...operations,
  ...credentials,
};
