import { createHash } from "node:crypto";
import { valueAt, type Json } from "../spec/json.ts";
import type { OperationName } from "../spec/operations.ts";
import { codeOf, digits, letters } from "./codes.ts";
import { bbanOf, ibanOf, isIban, lengthOf } from "./places.ts";
import { withValue } from "./pointer.ts";

/** What makes a request unique: the id of the run, and the number of the request in it. */
export interface Stamp {
  readonly runId: string;
  readonly serial: number;
}

/**
 * A copy of the body of a counterparty whose external id, name, account number and IBAN are unique.
 * Values that no generator makes stay as they are, and so do bodies of other operations.
 */
export function stamp(operation: OperationName, body: Json, unique: Stamp): Json {
  if (operation !== "createCounterparty") return body;
  return Object.entries(stampers).reduce((stamped, [pointer, restamped]) => {
    const value = valueAt(stamped, pointer);
    return typeof value === "string"
      ? withValue(stamped, pointer, restamped(value, unique))
      : stamped;
  }, body);
}

const stampers: Readonly<Record<string, (text: string, unique: Stamp) => string>> = {
  "/external_id": (text, { runId, serial }) =>
    /^[A-Za-z0-9-]{8,64}$/.test(text)
      ? runId.replace(/[^A-Za-z0-9]/g, "").slice(0, 24) + String(serial).padStart(6, "0")
      : text,
  "/name": (text, unique) =>
    /^([A-Z][a-z]+ )+[A-Z][a-z]+$/.test(text) && text.length <= 30 ? renamed(text, unique) : text,
  "/bank_account/account_number": (text, unique) =>
    /^[A-Za-z0-9]{8,34}$/.test(text) ? drawn(digits, text.length, unique) : text,
  "/bank_account/iban": (text, unique) => (isIban(text) ? renumbered(text, unique) : text),
};

const tailLength = 8;

function renamed(name: string, unique: Stamp): string {
  const tail = drawn(letters, tailLength, unique);
  const head = name.replace(/ [A-Za-z]+$/, "").slice(0, 30 - tailLength - 1);
  return `${head} ${tail.charAt(0)}${tail.slice(1).toLowerCase()}`;
}

/** The IBAN of another account at the same bank. It ends with the stamped account number. */
function renumbered(iban: string, unique: Stamp): string {
  const country = iban.slice(0, 2);
  const length = lengthOf(bbanOf(country)?.account ?? "");
  return ibanOf(country, iban.slice(4, -length) + drawn(digits, length, unique));
}

/**
 * A text that differs for each serial, because the multiplier and the number of possible texts have
 * no common factor.
 */
function drawn(alphabet: string, length: number, { runId, serial }: Stamp): string {
  const code = codeOf(startOf(runId) + BigInt(serial) * 2_654_435_761n, alphabet, length);
  // The last digit comes first, because it differs most from one serial to the next.
  return [...code].reverse().join("");
}

/** The start of the last run. It is kept, because every counterparty of a run needs it. */
let known: { readonly runId: string; readonly start: bigint } | undefined;

/** The number with which the texts of a run start. */
function startOf(runId: string): bigint {
  if (known?.runId !== runId) {
    const digest = createHash("sha256").update(runId).digest("hex");
    known = { runId, start: BigInt(`0x${digest.slice(0, 24)}`) };
  }
  return known.start;
}
