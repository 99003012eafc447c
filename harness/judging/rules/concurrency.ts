import {
  oneIdForTwo,
  other,
  type Judgement,
  type Violation,
  broken,
  holds,
} from "../../../model/mistake.ts";
import { valueAt, type Json } from "../../../spec/json.ts";
import type { Exchange } from "../../../model/exchange.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { createdBy, isCreation, isOther, type CreatingOperation } from "./distinct-ids.ts";
import { apartText, shown, titleOf, type Rule } from "./rule.ts";

/**
 * What is judged of creations of one kind that are in flight at the same time. `echoes`: the values
 * that a response must repeat from its own request, as JSON pointers into both.
 */
interface Distinction {
  readonly requirement: RequirementId;
  readonly echoes: readonly (readonly [sent: string, returned: string])[];
}

const distinctions: Readonly<Record<CreatingOperation, Distinction>> = {
  createCounterparty: {
    requirement: "CPTY-11",
    echoes: ["/external_id", "/bank_account/account_number"].map((at) => [at, at] as const),
  },
  createOperation: {
    requirement: "OPER-16",
    echoes: [
      ["/currency_amount", "/foreign_currency_amount"],
      ["/counterparty_id", "/counterparty_id"],
    ],
  },
  createBatch: { requirement: "BATCH-07", echoes: [["/currency_pair", "/currency_pair"]] },
};

/**
 * A creation that succeeded, with the values that are compared. `from` and `to` are in milliseconds
 * since the run started, as `Exchange.at` is.
 */
type Flight = ReturnType<typeof flightOf>;

/** How many creations of each kind are remembered, which is more than are in flight at once. */
const mostFlights = 100;

/**
 * Judges creations that are in flight together: each gets its own id, and no response repeats
 * values of another request (INT-21).
 */
export const concurrency: Rule = {
  needsTimes: true,
  create: () => {
    const flights = { createCounterparty: [], createOperation: [], createBatch: [] } as Record<
      CreatingOperation,
      Flight[]
    >;
    return {
      judge: (exchange) => {
        const made = createdBy(exchange);
        if (made === undefined || !isCreation(exchange.operation)) return [];
        const known = flights[exchange.operation];
        const distinction = distinctions[exchange.operation];
        const flight = flightOf(exchange, made, distinction);
        const others = known.filter(
          (other) => isTogether(flight, other) && isOther(made.kind, other.data, made.data),
        );
        known.push(flight);
        if (known.length > mostFlights) known.shift();
        return others.length === 0 ? [] : [judgeFlight(exchange, flight, others, distinction)];
      },
    };
  },
};

function flightOf(
  { at: from, response, request, json }: Exchange,
  { kind, id, data }: NonNullable<ReturnType<typeof createdBy>>,
  { echoes }: Distinction,
) {
  return {
    from,
    to: from + response.took,
    kind,
    id,
    data,
    sent: echoes.map(([pointer]) => valueAt(request.json, pointer)),
    returned: echoes.map(([, pointer]) => valueAt(json, pointer)),
  };
}

function isTogether(one: Flight, other: Flight): boolean {
  return one.from < other.to && other.from < one.to;
}

function judgeFlight(
  exchange: Exchange,
  flight: Flight,
  others: readonly Flight[],
  { requirement, echoes }: Distinction,
): Judgement {
  const title = titleOf(exchange);
  const twins = others.filter(({ id }) => id === flight.id).length;
  if (twins > 0)
    return broken(requirement, {
      message: `${title}: one id for several things that were created at the same time.`,
      expected: `${others.length + 1} ids for ${others.length + 1} creations`,
      actual: `${twins + 1} of them have the id ${shown(flight.id)}`,
      // The class of `identity`: one mistake, whether the creations were at once or not.
      mistake: other(exchange.operation, `an id for each ${flight.kind}`, oneIdForTwo),
    });
  const [crossing] = echoes.flatMap(([, at], index) =>
    others.flatMap((other) => (isCrossed(flight, other, index) ? [{ at, index, other }] : [])),
  );
  return crossing === undefined
    ? holds(requirement)
    : broken(requirement, {
        message: `${title}: a response belongs to another request that was in flight at the same time.`,
        ...crossedValues(flight, crossing),
        mistake: {
          kind: "mixed up",
          of: exchange.operation,
          expected: "the values of the request",
          actual: "the values of another request in flight",
        },
      });
}

interface Crossing {
  readonly at: string;
  readonly index: number;
  readonly other: Flight;
}

/** Which value belongs to another request, in words: that of this response, or of the other one. */
function crossedValues(
  { sent, returned }: Flight,
  { at, index, other }: Crossing,
): Pick<Violation, "expected" | "actual"> {
  const [mine, theirs] = [shown(sent[index]), shown(other.sent[index])];
  return returned[index] === other.sent[index]
    ? {
        expected: `${at} = ${mine}`,
        actual: `${at} = ${theirs}, the value of another request in flight${apartText(sent[index], other.sent[index])}`,
      }
    : {
        expected: `${at} = ${mine}, in this response alone`,
        actual: `the response to another request in flight, which sent ${theirs}, has it too`,
      };
}

/** Whether one of two responses repeats a value of the other request in place of its own. */
function isCrossed(one: Flight, other: Flight, index: number): boolean {
  const mine = one.sent[index];
  const theirs = other.sent[index];
  if (mine === theirs || mine === undefined || theirs === undefined || areNear(mine, theirs))
    return false;
  return one.returned[index] === theirs || other.returned[index] === mine;
}

/**
 * Whether rounding could make two amounts equal, or normalising, trimming or cutting two texts
 * (INT-25), so that a wrong value is no sign of a mix-up.
 */
function areNear(one: Json, other: Json): boolean {
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= 0.1 * Math.max(one, other);
  if (typeof one !== "string" || typeof other !== "string") return false;
  const [short = "", long = ""] = [one, other].map(plainly).toSorted((a, b) => a.length - b.length);
  return long.startsWith(short);
}

/** The letters and digits of a text, without letter case, marks and zeros in front. */
const plainly = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase()
    .replace(/^0+/, "");
