import { defined } from "../../../model/defined.ts";
import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { broken, holds, type Judgement, mistakeKey, other } from "../../../model/mistake.ts";
import { memberOf, type Json } from "../../../spec/json.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { isOfInvalidOperation, isOfInvalidRequest, remember } from "../known-ids.ts";
import { batchesIn, listOf } from "../observations.ts";
import { createdBy } from "./distinct-ids.ts";
import { apartText, shown, titleOf, type Rule, type RuleContext } from "./rule.ts";
import type { ResourceKind } from "../../../spec/endpoints.ts";
import { twiceRows, type Difference, type TwiceRow } from "./shown-twice-rows.ts";

/** Something with an id, as a response shows it. `around`: the batch around an operation. */
interface Showing {
  readonly of: ResourceKind;
  readonly id: string;
  readonly at: string;
  readonly value: Json;
  readonly around?: Json;
}

/** What was shown first: each value that agrees with it, and where. */
interface FirstShown {
  readonly values: readonly (Json | undefined)[];
  readonly place?: ShownPlace;
  /** Words that follow the value, if no place says where it was shown. */
  readonly where?: string;
  /** What is compared with it, if that is not the member itself. */
  readonly again?: Json | undefined;
}

/** Where something was shown first: its place in a response, which is kept if it is small. */
interface ShownPlace {
  readonly text: string;
  readonly at: string;
  readonly exchange?: Exchange;
}

/** What is remembered of a thing: each member as the first response that has it shows it. */
interface Kept {
  readonly members: ReadonlyMap<string, FirstShown>;
  /** What the request that created it says of members that only responses have. */
  readonly said: Json | undefined;
}

/** Judges whether what is shown twice agrees, by the rows of a table. */
export const shownTwice: Rule = {
  create: (known) => {
    const memory = createMemory();
    return {
      learn: (exchange) => {
        const isPlain = exchange.intent.kind !== "invalid" && exchange.exemptBy === undefined;
        if (isPlain) memory.created(exchange);
      },
      judge: (exchange) => {
        const found: Judgement[] = [];
        for (const showing of shownIn(exchange, known)) {
          for (const row of twiceRows)
            if (row.of === showing.of) found.push(...judged(row, showing, exchange, memory));
          memory.shown(showing, exchange);
        }
        memory.endOf(exchange);
        return eachOnce(found);
      },
    };
  },
};

const idMembers = { counterparty: "id", operation: "operation_id", batch: "id" } as const;

/** A thing, unless it has no id to know it by. */
function named(of: ResourceKind, value: Json, at: string, around?: Json): readonly Showing[] {
  const id = memberOf(value, idMembers[of]);
  if (typeof id !== "string" || id === "") return [];
  return [{ of, id, at, value, ...(around !== undefined && { around }) }];
}

/** What a success shows: what it created, or the batches of a list, and the operations in them. */
function shownIn(exchange: Exchange, { ids }: RuleContext): readonly Showing[] {
  const { operation, json = null } = exchange;
  if (!isSuccess(exchange)) return [];
  const made = createdBy(exchange)?.kind;
  if (made === "counterparty" || made === "operation") return named(made, json, "");
  const isList = operation === "listBatches";
  if (!isList && made === undefined) return [];
  const batches = isList ? (batchesIn(json) ?? []) : [json];
  return batches.flatMap((batch, index) => {
    if (isList && isOfInvalidRequest(batch, ids)) return [];
    const at = isList ? `/batches/${index}` : "";
    const inside = listOf(batch, "operations").flatMap((one, nth) =>
      isOfInvalidOperation(one, ids)
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
  const differences = comparable.map((one) => row.differenceOf(one as Json, again));
  const [difference] = differences;
  return difference === undefined || differences.includes(undefined)
    ? [holds(row.requirement)]
    : [disagrees(row, showing.at, exchange, first, difference)];
}

/** Another type is a mistake of its own, and what is null counts as left out. */
function isComparable(first: Json | undefined, again: Json | undefined): boolean {
  return first !== null && again !== null && typeof first === typeof again;
}

function disagrees(
  { requirement, member, kin, ...row }: TwiceRow,
  at: string,
  exchange: Exchange,
  { place, where = place && `, as ${place.text} showed it` }: FirstShown,
  { at: inside, first, again, how }: Difference,
): Judgement {
  const path = `/${member}${inside}`;
  const pointer = `${at}${path}`;
  const wrong = how ?? row.wrong;
  const right = where === undefined ? `is ${row.right}` : `= ${shown(first)}${where}`;
  // One mistake shows an operation wrongly in new batches and in lists.
  const isOfList = row.first === "creation" && row.of === "batch" && kin === undefined;
  const of = isOfList ? exchange.operation : "";
  return broken(requirement, {
    message: `${titleOf(exchange)}: ${kin === undefined ? (how ?? row.says) : `${row.says} ${wrong}`}.`,
    expected: `${pointer} ${right}`,
    actual: `${pointer}${apartText(first, again)} = ${shown(again)}`,
    pointer,
    mistake: { ...other(of, row.right, wrong), ...defined({ kin }) },
    ...(place?.exchange && {
      firstShown: { exchange: place.exchange, pointer: `${place.at}${path}` },
    }),
  });
}

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

/** In which batch an operation was shown, and which id it gave for it. */
interface InBatch {
  readonly batch: string;
  readonly own: Json | undefined;
  readonly place: ShownPlace;
}

/**
 * More values than this under one id are those of several things (BATCH-06, OPER-15): nothing is
 * compared with them.
 */
const mostValues = 8;

/** How many things are kept of what this run created, and of what only lists have shown. */
const mostOurs = 2_000;
const mostOld = 10_000;

type Memory = ReturnType<typeof createMemory>;

/** An id as a text. A server may show its ids as numbers. */
const idText = (id: Json | undefined): string =>
  typeof id === "string" || typeof id === "number" ? String(id) : "";

/**
 * Compares the ids of the batches that show an operation, or what it says itself. `here`: what the
 * same response has shown; `seen`: what it is compared with.
 */
function inOtherBatch(
  member: string,
  showing: Showing,
  here: ReadonlyMap<string, InBatch>,
  seen: ReadonlyMap<string, InBatch>,
): FirstShown | undefined {
  const own = memberOf(showing.value, "batch_id");
  const batch = memberOf(showing.around, "id");
  const before = here.get(showing.id) ?? seen.get(showing.id);
  const names = typeof own === "string" && typeof (before ?? { own }).own === "string";
  const isNamed = member === "batch_id";
  if (typeof batch !== "string" || seen.size === 0 || (isNamed && !names)) return undefined;
  // An operation that names two batches breaks the requirement on those that name one.
  if (before === undefined || before.batch === batch || names !== isNamed)
    return { values: [batch], again: batch };
  const values = [names ? before.own : before.batch];
  return { values, again: names ? own : batch, place: before.place };
}

function createMemory() {
  // Old lists must not push out what this run created.
  const ours = new Map<string, Kept>();
  const old = new Map<string, Kept>();
  const customers = new Map<string, string>();
  const ofCreations = new Map<string, InBatch>();
  let ofResponse = new Map<string, InBatch>();
  const keyOf = (of: ResourceKind, id: Json | undefined): string => `${of} ${idText(id)}`;
  const find = (...thing: Parameters<typeof keyOf>): Kept | undefined =>
    ours.get(keyOf(...thing)) ?? old.get(keyOf(...thing));

  return {
    /**
     * Learns what a creation shows. What was created twice under one id has the values of both, but
     * one instant.
     */
    created: (exchange: Exchange): void => {
      const made = createdBy(exchange);
      if (made === undefined || made.id === "") return;
      const { kind: of, id } = made;
      const key = keyOf(of, id);
      const showing = { of, id, at: "", value: exchange.json ?? null };
      remember(ours, key, keptOf(showing, exchange, ours.get(key)), mostOurs);
      const customer = new URL(exchange.request.url).pathname.split("/").at(-2) ?? "";
      if (of === "counterparty") remember(customers, id, decodeURIComponent(customer));
    },
    /** Learns what was not shown before, and which batch shows an operation. */
    shown: (showing: Showing, exchange: Exchange): void => {
      const { of, id, around, value } = showing;
      const key = keyOf(of, id);
      const [all, most] = ours.has(key) ? ([ours, mostOurs] as const) : ([old, mostOld] as const);
      const kept = all.get(key);
      if (kept === undefined || hasMore(showing, kept))
        remember(all, key, keptOf(showing, exchange, kept), most);
      const batch = memberOf(around, "id");
      if (typeof batch !== "string" || ofResponse.has(id)) return;
      const own = memberOf(value, "batch_id");
      ofResponse.set(id, { batch, own, place: placeOf(showing, exchange) });
    },
    /** Keeps what the creation of a batch shows of its operations. */
    endOf: ({ operation }: Exchange): void => {
      if (operation === "createBatch")
        for (const [id, one] of ofResponse) remember(ofCreations, id, one);
      if (ofResponse.size > 0) ofResponse = new Map();
    },
    /** What a member is compared with. Undefined if that was never shown. */
    firstOf: (
      { first, member, isOurs }: TwiceRow,
      showing: Showing,
      exchange: Exchange,
    ): FirstShown | undefined => {
      const { operation } = exchange;
      const { of, id, value, around } = showing;
      const kept = find(of, id);
      if (isOurs === true && !ours.has(`${of} ${id}`)) return undefined;
      const isNew = operation !== "listBatches";
      const before = isNew && ofCreations.size > 0 ? ofCreations : ofResponse;
      switch (first) {
        case "creation":
          return isNew && around === undefined && !isAgain(of, member, kept, exchange)
            ? undefined
            : kept?.members.get(member);
        case "request":
          return kept && { values: [memberOf(kept.said, member)] };
        case "customer":
          return {
            values: [customers.get(idText(memberOf(value, "counterparty_id")))],
            where: ", as its counterparty was registered",
          };
        case "batch":
          // A batch that is listed with a wrong pair is a mistake of its own.
          return {
            values: [
              memberOf(around, member === "batch_id" ? "id" : member),
              ...(find("batch", memberOf(around, "id"))?.members.get(member)?.values ?? []),
            ],
            where: ", as its batch has",
          };
        case "operations":
          return {
            values: [listOf(value, "operations").length],
            where: " or less, as operations has",
          };
        case "other batch":
          return inOtherBatch(member, showing, ofResponse, before);
      }
    },
  };
}

/** Responses above this many bytes are not kept to be shown beside a later one. */
const largeResponse = 20_000;

function placeOf({ at }: Showing, exchange: Exchange): ShownPlace {
  const text = `${operationTitle(exchange.operation)}${at === "" ? "" : ` at ${at}`}`;
  const isSmall = exchange.response.body.length <= largeResponse;
  return { text, at, ...(isSmall && { exchange }) };
}

/**
 * Whether a creation shows a batch that an earlier one created: it can be that one again (INT-27).
 * As a rule, a creation shows a thing for the first time.
 */
function isAgain(
  of: ResourceKind,
  member: string,
  kept: Kept | undefined,
  exchange: Exchange,
): boolean {
  const first = kept?.members.get(member)?.place?.exchange;
  return of === "batch" && member === "created_at" && first !== undefined && first !== exchange;
}

const creationRows = twiceRows.filter(({ first }) => first === "creation");

/** Whether a thing shows a member that no response has shown of it before. */
const hasMore = ({ of, value }: Showing, { members }: Kept): boolean =>
  creationRows.some(
    (row) =>
      row.of === of && !members.has(row.member) && (memberOf(value, row.member) ?? null) !== null,
  );

function keptOf(showing: Showing, exchange: Exchange, before?: Kept): Kept {
  const { of, value } = showing;
  const { json } = exchange.request;
  const isCreation = createdBy(exchange)?.kind === of;
  const place = placeOf(showing, exchange);
  const members = new Map(before?.members);
  for (const { member, sent } of creationRows.filter((row) => row.of === of)) {
    const known = members.get(member);
    // Under one id, another creation may show another thing; a list shows the same one again, and
    // so does a batch that is created again.
    if (known !== undefined && (!isCreation || (of === "batch" && member === "created_at")))
      continue;
    const now = [memberOf(value, member)];
    if (isCreation && sent !== undefined) now.push(memberOf(json, sent));
    const isShown = (one: Json | undefined): boolean => one !== undefined && one !== null;
    const all = [...new Set([...(known?.values ?? []), ...now.filter(isShown)])];
    const isMany = all.length > mostValues || known?.values.length === 0;
    if (all.length > 0) members.set(member, { place, ...known, values: isMany ? [] : all });
  }
  // Only a run knows what it made up itself: a recorded client may name what exists.
  const ofRequest = exchange.intent.kind === "unusual" ? json : undefined;
  const said = isCreation ? ofRequest : before?.said;
  return { members, said };
}
