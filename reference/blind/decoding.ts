import { isJson, reading, edit, type Json } from "../change.ts";
import { holds, reads } from "../faults/raw-body.ts";
import type { Call, Change } from "../policy.ts";
import { Refusal } from "../policy.ts";
import { anywhere, at, crashes, legal, spelt, type BlindClass } from "./blind.ts";

/** If the body of a new operation cannot be parsed, changes its text and parses it again. */
function readsAlso(change: (text: string) => string): Change {
  return (base) => ({
    parse: (call) => {
      try {
        return base.parse(call);
      } catch (error) {
        if (call.operation !== "createOperation" || call.bytes.length === 0) throw error;
        return parsedOr(error, change(call.bytes.toString()));
      }
    },
  });
}

function parsedOr(error: unknown, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw error;
  }
}

/** Replaces the parsed body of a new operation, even if that body is not an object. */
function takes(change: (body: unknown, call: Call) => unknown): Change {
  return (base) => ({
    parse: (call) => {
      const body = base.parse(call);
      return call.operation === "createOperation" ? change(body, call) : body;
    },
  });
}

/**
 * The text up to the brace that closes its first object. The whole text if there is no such brace.
 */
function firstObject(text: string): string {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (character === "}" && depth === 0) return [...text].slice(0, index + 1).join("");
  }
  return text;
}

function withQuery(body: unknown, { query }: Call): unknown {
  if (!isJson(body)) return body;
  const fromQuery = Object.fromEntries(query) as Json;
  const amount = fromQuery["currency_amount"];
  return {
    ...fromQuery,
    ...(amount !== undefined && { currency_amount: Number(amount) }),
    ...body,
  };
}

function objectInText(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Takes any number as the id of a counterparty, without looking for that counterparty. */
const numbersAsIds: Change = (base) => ({
  ...reading("createOperation", edit("counterparty_id", numberAsText))(base),
  findCounterparty: (id, call) =>
    base.findCounterparty(id, call) ?? (/^\d+$/.test(id) ? { id } : undefined),
});

function numberAsText(id: unknown): unknown {
  return typeof id === "number" ? String(id) : id;
}

function numberInText(amount: unknown): unknown {
  const isNumber = typeof amount === "string" && amount !== "" && Number.isFinite(Number(amount));
  return isNumber ? Number(amount) : amount;
}

function accepts(id: string, about: string, change: (text: string) => string) {
  return at.operation.fault(id, "OPER-34", about, readsAlso(change));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJson(value)) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([name, inside]) => [name, reversed(inside)]));
}

/** Escapes slashes and all characters beyond ASCII. */
function escaped(text: string): string {
  return text
    .replaceAll("/", String.raw`\/`)
    .replaceAll(/[\u0080-\uffff]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const latinOnly: Change = (base) => ({
  check: (call) => {
    base.check(call);
    if (/[^\0-\x7f]/.test(JSON.stringify(call.body)))
      throw new Refusal(422, "invalid", "Only letters of the Latin alphabet are taken");
  },
});

function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (!isJson(value)) return value;
  const entries = Object.entries(value).filter(([, inside]) => inside !== null);
  return Object.fromEntries(entries.map(([name, inside]) => [name, withoutNothing(inside)]));
}

function serialises(change: (body: unknown) => unknown): Change {
  return (base) => ({ serialise: (body, call) => base.serialise(change(body), call) });
}

export const decoding: BlindClass = {
  faults: [
    accepts("trailing-comma-accepted", "A trailing comma is taken.", (text) =>
      text.replaceAll(/,\s*([}\]])/g, "$1"),
    ),
    accepts("nan-accepted", "NaN as an amount is taken.", (text) =>
      text.replace(/("currency_amount"\s*:\s*)NaN/, "$11"),
    ),
    accepts(
      "garbage-after-body-accepted",
      "What follows the first object is not read.",
      firstObject,
    ),
    accepts("comments-accepted", "Comments in the body are taken.", (text) =>
      text.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/\/\/[^\n]*\n/g, "\n"),
    ),
    accepts("leading-zeros-accepted", "Leading zeros in other members are taken.", (text) =>
      text.replaceAll(/("(?!currency_amount")\w+"\s*:\s*-?)0+(?=\d)/g, "$1"),
    ),
    at.operation.fault(
      "query-fallback",
      ["OPER-20", "OPER-21", "OPER-22", "OPER-23"],
      "A member that the body lacks is taken from the query.",
      takes(withQuery),
    ),
    accepts("single-quotes-accepted", "Single quotes are taken.", (text) =>
      text.replaceAll("'", '"'),
    ),
    at.operation.fault(
      "array-of-one-accepted",
      "OPER-32",
      "An array that holds one object is taken as the object.",
      takes((body) => (Array.isArray(body) && body.length === 1 ? (body[0] as unknown) : body)),
    ),
    at.operation.fault(
      "text-of-json-accepted",
      "OPER-32",
      "A JSON string that holds an object is taken as the object.",
      takes(objectInText),
    ),
    accepts("cut-body-accepted", "A body without its last brace is taken.", (text) => `${text}}`),
    anywhere.fault(
      "deep-nesting-500",
      "HTTP-04",
      "A deeply nested body gets a 500.",
      crashes(reads(/(?:\[\s*|\{\s*"[^"]*"\s*:\s*){200}/)),
    ),
    anywhere.fault(
      "lone-surrogate-500",
      "HTTP-04",
      "A text with half of a surrogate pair gets a 500.",
      crashes(holds(/\\ud[89a-f]/)),
    ),
    at.operation.fault(
      "text-amount-accepted",
      "OPER-28",
      "An amount that is a text of digits is taken as a number.",
      reading("createOperation", edit("currency_amount", numberInText)),
    ),
    at.operation.fault(
      "number-counterparty-accepted",
      "OPER-31",
      "A number is taken as the id of a counterparty.",
      numbersAsIds,
    ),
    at.operation.fault(
      "null-pair-accepted",
      "OPER-26",
      "The pair null stands for the usual pair.",
      reading(
        "createOperation",
        edit("currency_pair", (pair) => pair ?? "USDBRL"),
      ),
    ),
  ],
  variants: [
    legal("escaped-text", "Slashes and what is beyond ASCII are escaped.", spelt(escaped)),
    legal(
      "pretty-printed",
      "Responses are indented, with two characters at the end of a line.",
      spelt((text) => JSON.stringify(JSON.parse(text), null, 2).replaceAll("\n", "\r\n")),
    ),
    legal("reverse-order", "Members stand in reverse order.", serialises(reversed)),
    legal("latin-only", "Text beyond ASCII gets a 422.", latinOnly),
    legal(
      "empty-members-left-out",
      "Members without a value are left out.",
      serialises(withoutNothing),
    ),
  ],
};
