import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { broken, holds, noVerdict, type Judgement } from "../../../model/judgement.ts";
import { mistakeKey, other } from "../../../model/mistake.ts";
import { memberOf, type Json } from "../../../spec/json.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { isOfInvalidOperation, isOfInvalidRequest, remember } from "../identities.ts";
import { batchesIn, listOf } from "../observations.ts";
import { shown, titleOf, type Rule, type RuleContext } from "./rule.ts";
import { twiceRows, type Difference, type Thing, type TwiceRow } from "./shown-twice-rows.ts";

/** Something with an id, as a response shows it. `around`: the batch around an operation. */
interface Showing {
  readonly of: Thing;
  readonly id: string;
  readonly at: string;
  readonly value: Json;
  readonly around?: Json;
}

/** What was shown first: each value that agrees with it, and where, in words that follow a value. */
interface FirstShown {
  readonly values: readonly Json[];
  readonly where: string;
  /** What is compared with it, if that is not the member itself. */
  readonly again?: Json | undefined;
}

const decides = [...new Set(twiceRows.map(({ requirement }) => requirement))];

/** How many characters of values are kept, so that endless traffic takes bounded memory. */
const mostKept = 8_000_000;

/** Judges whether what is shown twice agrees, by the rows of a table. */
export const shownTwice: Rule = {
  decides,
  create: (known) => {
    const memory = createMemory();
    /** What was shown a second time, with whatever members. */
    const again = new Set<Thing>();
    return {
      learn: (exchange) => {
        if (!isSuccess(exchange) || !isPlain(exchange)) return;
        if (exchange.operation === "createCounterparty") memory.registered(exchange);
        for (const showing of createdIn(exchange)) memory.created(showing, exchange);
      },
      judge: (exchange) => {
        const found: Judgement[] = [];
        for (const showing of shownAgainIn(exchange, known)) {
          if (memory.has(showing)) again.add(showing.of);
          for (const row of twiceRows)
            if (row.of === showing.of) found.push(...judged(row, showing, exchange, memory));
          memory.shown(showing, exchange);
        }
        memory.endOf(exchange);
        return eachOnce(found);
      },
      unmet: () =>
        twiceRows.map(({ requirement, of, member }) => {
          const thing = of === "batch" ? "a listed batch" : "an operation in a batch";
          return again.has(of)
            ? noVerdict(requirement, `${thing} never showed ${member} again`, "optional member")
            : noVerdict(
                requirement,
                `${thing} never was one that a response had shown before`,
                of === "batch" ? "whole list" : "batched operations",
              );
        }),
    };
  },
};

const isPlain = ({ intent, exemptBy }: Exchange): boolean =>
  intent.kind !== "invalid" && exemptBy === undefined;

/** The operation or the batch that a creation shows. */
function createdIn({ operation, json = null }: Exchange): readonly Showing[] {
  if (operation === "createOperation") return named("operation", json, "");
  return operation === "createBatch" ? named("batch", json, "") : [];
}

/** A thing, unless it has no id to know it by. */
function named(of: Thing, value: Json, at: string, around?: Json): readonly Showing[] {
  const id = memberOf(value, of === "batch" ? "id" : "operation_id");
  if (typeof id !== "string" || id === "") return [];
  return [{ of, id, at, value, ...(around !== undefined && { around }) }];
}

/** The batches of a success, and the operations in them. */
function shownAgainIn(exchange: Exchange, { identities }: RuleContext): readonly Showing[] {
  const { operation, json } = exchange;
  if (!isSuccess(exchange) || json === undefined) return [];
  const isList = operation === "listBatches";
  if (!isList && operation !== "createBatch") return [];
  const batches = isList ? (batchesIn(json) ?? []) : [json];
  return batches.flatMap((batch, index) => {
    if (isOfInvalidRequest(batch, identities)) return [];
    const at = isList ? `/batches/${index}` : "";
    const inside = listOf(batch, "operations").flatMap((one, nth) =>
      isOfInvalidOperation(one, identities)
        ? []
        : named("operation", one, `${at}/operations/${nth}`, batch),
    );
    return [...named("batch", batch, at), ...inside];
  });
}

function judged(
  row: TwiceRow,
  showing: Showing,
  exchange: Exchange,
  memory: Memory,
): readonly Judgement[] {
  const first = memory.firstOf(row, showing, exchange);
  const again = first?.again ?? memberOf(showing.value, row.member);
  const comparable = first?.values.filter((one) => isComparable(one, again)) ?? [];
  if (first === undefined || again === undefined || comparable.length === 0) return [];
  const differences = comparable.map((one) => row.differenceOf(one, again));
  const [difference] = differences;
  if (difference === undefined || differences.includes(undefined)) return [holds(row.requirement)];
  return [brokenBy(row, showing, exchange, difference, first.where)];
}

/** Another type is a mistake of its own, and what is null counts as left out. */
function isComparable(first: Json, again: Json | undefined): boolean {
  return first !== null && again !== null && typeof first === typeof again;
}

function brokenBy(
  row: TwiceRow,
  { at }: Showing,
  exchange: Exchange,
  { how, ...difference }: Difference,
  where: string,
): Judgement {
  const pointer = `${at}/${row.member}${difference.at}`;
  const wrong = how ?? row.wrong;
  // A time that is off by the same amount is one mistake, wherever it shows.
  const isTime = row.member === "created_at";
  const says = isTime ? `created_at is ${wrong} than in the creation` : (how ?? row.says);
  return broken(row.requirement, {
    message: `${titleOf(exchange)}: ${says}.`,
    expected: `${pointer} = ${shown(difference.first)}${where}`,
    actual: `${pointer} = ${shown(difference.again)}`,
    pointer,
    mistake: isTime
      ? { ...other("", "the created_at that was shown first", wrong), kin: ofTimes }
      : other(row.first === "creation" ? exchange.operation : "", row.right, wrong),
  });
}

const ofTimes = twiceRows
  .filter(({ member }) => member === "created_at")
  .map(({ requirement }) => requirement);

/** A mistake once for each requirement, and that a requirement holds only if nothing breaks it. */
function eachOnce(found: readonly Judgement[]): readonly Judgement[] {
  const wrong = new Map<string, Judgement>();
  for (const one of found) {
    const key = one.violation && `${one.requirement} ${mistakeKey(one.violation.mistake)}`;
    if (key !== undefined && !wrong.has(key)) wrong.set(key, one);
  }
  const broken = new Set([...wrong.values()].map(({ requirement }) => requirement));
  const right = new Set(found.map(({ requirement }) => requirement));
  return [...wrong.values(), ...[...right].filter((id) => !broken.has(id)).map(holds)];
}

/** What was shown first of a thing. */
interface Kept {
  readonly where: string;
  readonly isCreation: boolean;
  readonly values: ReadonlyMap<string, readonly Json[]>;
  readonly size: number;
}

/** In which batch an operation was shown, and which id it gave for it. */
interface InBatch {
  readonly batch: string;
  readonly own: Json | undefined;
  readonly where: string;
}

/**
 * More values than this under one id are those of several things (BATCH-06, OPER-15): none is kept,
 * and nothing is compared.
 */
const mostValues = 8;

type Memory = ReturnType<typeof createMemory>;

function createMemory() {
  const things = new Map<string, Kept>();
  const customers = new Map<string, string>();
  const ofCreations = new Map<string, InBatch>();
  let ofResponse = new Map<string, InBatch>();
  let size = 0;

  const keep = (key: string, kept: Kept): void => {
    size += kept.size - (things.get(key)?.size ?? 0);
    remember(things, key, kept);
    for (const [oldest, { size: freed }] of things) {
      if (size <= mostKept) break;
      things.delete(oldest);
      size -= freed;
    }
  };

  /** Compares the ids of the batches that show an operation, or what it says itself. */
  const inOtherBatch = (
    { member }: TwiceRow,
    { value, around, id }: Showing,
    isCreation: boolean,
  ): FirstShown | undefined => {
    const own = memberOf(value, "batch_id");
    const batch = memberOf(around, "id");
    const seen = isCreation && ofCreations.size > 0 ? ofCreations : ofResponse;
    const before = ofResponse.get(id) ?? seen.get(id);
    const names = typeof own === "string" && typeof (before ?? { own }).own === "string";
    const isNamed = member === "batch_id";
    if (typeof batch !== "string" || seen.size === 0 || (isNamed && !names)) return undefined;
    // An operation that names two batches breaks the requirement on those that name one.
    if (before === undefined || before.batch === batch || names !== isNamed)
      return { values: [batch], where: "", again: batch };
    const values = [names ? (before.own ?? null) : before.batch];
    return { values, where: `, as ${before.where} showed it`, again: names ? own : batch };
  };

  return {
    registered: ({ request, json }: Exchange): void => {
      const id = memberOf(json, "id");
      const customer = new URL(request.url).pathname.split("/").at(-2);
      if (typeof id === "string" && customer !== undefined)
        remember(customers, id, decodeURIComponent(customer));
    },
    has: (showing: Showing): boolean => things.has(keyOf(showing)),
    /** Learns what a creation shows. What was created twice under one id has the values of both. */
    created: (showing: Showing, exchange: Exchange): void => {
      const key = keyOf(showing);
      const before = things.get(key);
      keep(key, keptOf(showing, exchange, true, before?.isCreation === true ? before : undefined));
    },
    /** Learns what shows a thing that nothing created. */
    shown: (showing: Showing, exchange: Exchange): void => {
      const key = keyOf(showing);
      // What this run creates comes first: a long list of old batches fills no more than half.
      if (size < mostKept / 2 && !things.has(key)) keep(key, keptOf(showing, exchange, false));
      const batch = memberOf(showing.around, "id");
      if (typeof batch !== "string" || ofResponse.has(showing.id)) return;
      const own = memberOf(showing.value, "batch_id");
      ofResponse.set(showing.id, { batch, own, where: placeOf(exchange, showing) });
    },
    /** Keeps what the creation of a batch shows of its operations. */
    endOf: ({ operation }: Exchange): void => {
      if (operation === "createBatch")
        for (const [id, one] of ofResponse) remember(ofCreations, id, one);
      if (ofResponse.size > 0) ofResponse = new Map();
    },
    /** What a member is compared with. Undefined if that was never shown. */
    firstOf: (row: TwiceRow, showing: Showing, exchange: Exchange): FirstShown | undefined => {
      const { value, around, of } = showing;
      if (row.isOurs === true && things.get(keyOf(showing))?.isCreation !== true) return undefined;
      switch (row.first) {
        case "creation": {
          // The creation of a batch shows it for the first time.
          if (of === "batch" && exchange.operation === "createBatch") return undefined;
          const kept = things.get(keyOf(showing));
          const values = kept?.values.get(row.member);
          return values && { values, where: `, as ${kept?.where} showed it` };
        }
        case "customer": {
          const customer = customers.get(String(memberOf(value, "counterparty_id")));
          return customer === undefined
            ? undefined
            : { values: [customer], where: ", as its counterparty was registered" };
        }
        case "batch": {
          // A batch that is listed with a wrong pair is a mistake of its own.
          const own = things.get(`batch ${String(memberOf(around, "id"))}`)?.values;
          const whole = [memberOf(around, row.member), ...(own?.get(row.member) ?? [])];
          const values = whole.filter((one) => one !== undefined);
          return values.length === 0 ? undefined : { values, where: ", as its batch has" };
        }
        case "operations": {
          const list = memberOf(value, "operations");
          return Array.isArray(list)
            ? { values: [list.length], where: " or less, as operations has" }
            : undefined;
        }
        case "other batch":
          return inOtherBatch(row, showing, exchange.operation === "createBatch");
      }
    },
  };
}

const keyOf = ({ of, id }: Showing): string => `${of} ${id}`;

const placeOf = ({ operation }: Exchange, { at }: Showing): string =>
  `${operationTitle(operation)}${at === "" ? "" : ` at ${at}`}`;

function keptOf(showing: Showing, exchange: Exchange, isCreation: boolean, before?: Kept): Kept {
  const values = new Map(before?.values);
  for (const { of, member, first, sent } of twiceRows) {
    if (of !== showing.of || first !== "creation") continue;
    const now = [memberOf(showing.value, member)];
    if (isCreation && sent !== undefined) now.push(memberOf(exchange.request.json, sent));
    const known = values.get(member) ?? [];
    const added = now.filter(
      (one): one is Json => one !== undefined && one !== null && !known.includes(one),
    );
    const all = [...new Set([...known, ...added])];
    const isMany = all.length > mostValues || (known.length === 0 && values.has(member));
    if (all.length > 0) values.set(member, isMany ? [] : all);
  }
  const size = JSON.stringify([...values]).length + showing.id.length;
  return { where: before?.where ?? placeOf(exchange, showing), isCreation, values, size };
}
