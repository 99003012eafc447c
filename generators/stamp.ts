import { createHash } from "node:crypto";
import { isObject, valueAt, type Json } from "../spec/json.ts";
import { beginning, codeOf, digits, letters, inScript, scriptOf } from "./texts.ts";
import { bbanOf, filled, ibanOf, isIban, withNationalCheckDigits } from "./places.ts";
import { withValue } from "./pointer.ts";

/** What makes a request unique: the id of the run, and the number of the request in it. */
interface Stamp {
  readonly runId: string;
  readonly serial: number;
}

/**
 * A copy of the body of a counterparty whose external id, name, account number and IBAN are unique.
 * Values that no generator makes stay as they are.
 */
export function stamp(body: Json, unique: Stamp): Json {
  return Object.entries(stampers).reduce((stamped, [pointer, restamped]) => {
    const value = valueAt(stamped, pointer);
    return value === undefined ? stamped : withValue(stamped, pointer, restamped(value, unique));
  }, body);
}

const stampers: Readonly<Record<string, (value: Json, unique: Stamp) => Json>> = {
  "/external_id": (id, { runId, serial }) =>
    typeof id === "string" && /^[A-Za-z0-9-]{8,64}$/.test(id)
      ? runId.replace(/[^A-Za-z0-9]/g, "").slice(0, 24) + String(serial).padStart(6, "0")
      : id,
  "/name": (name, unique) => (typeof name === "string" ? renamed(name, unique) : name),
  "/bank_account": renumbered,
};

const tailLength = 8;

function renamed(name: string, unique: Stamp): string {
  if (!/^(\p{Lu}\p{Ll}+ )+\p{Lu}\p{Ll}+$/u.test(name) || name.length > 30) return name;
  const tail = drawn(letters, tailLength, unique);
  const head = name.replace(/ \p{L}+$/u, "").slice(0, 30 - tailLength - 1);
  const script = scriptOf(name);
  return `${head} ${inScript(`${tail.charAt(0)}${tail.slice(1).toLowerCase()}`, script)}`;
}

/**
 * The account with another number, and with the IBAN of this number if it has an IBAN, which ends
 * with the number. A zero at the beginning of the number stays, and none comes there.
 */
function renumbered(account: Json, unique: Stamp): Json {
  if (!isObject(account)) return account;
  const { iban, account_number: number } = account;
  if (typeof iban === "string" && isIban(iban)) {
    const country = iban.slice(0, 2);
    const pattern = bbanOf(country)?.account ?? "";
    const bank = iban.slice(4, -pattern.length);
    const hasZero = iban.slice(-pattern.length).startsWith("0");
    const parts = withNationalCheckDigits(country, (attempt) => {
      const digitsOfIt = drawn(digits, pattern.length, unique, attempt);
      return { bank, account: filled(pattern, BigInt(beginning(digitsOfIt, hasZero))) };
    });
    const own = typeof number === "string" && iban.endsWith(number);
    return {
      ...account,
      ...(own && { account_number: parts.account }),
      iban: ibanOf(country, bank + parts.account),
    };
  }
  return typeof number === "string" && /^[A-Za-z0-9]{8,34}$/.test(number)
    ? {
        ...account,
        account_number: beginning(drawn(digits, number.length, unique), number.startsWith("0")),
      }
    : account;
}

/** How many texts each serial has. Right check digits hardly ever take more attempts. */
const perSerial = 1_000;

/**
 * A text that differs for each serial and attempt, because the multiplier and the number of possible
 * texts have no common factor.
 */
function drawn(alphabet: string, length: number, { runId, serial }: Stamp, attempt = 0): string {
  const nth = BigInt(serial * perSerial + attempt);
  const code = codeOf(startOf(runId) + nth * 2_654_435_761n, alphabet, length);
  // The last digit comes first, because it differs most from one serial to the next.
  return [...code].reverse().join("");
}

/** The number with which the texts of a run start. */
function startOf(runId: string): bigint {
  const digest = createHash("sha256").update(runId).digest("hex");
  return BigInt(`0x${digest.slice(0, 24)}`);
}
