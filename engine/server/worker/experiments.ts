import { Inconclusive } from "../../../harness/errors.ts";
import type { RepeatableFinding } from "../../../model/evidence/findings.ts";
import { isCrash, type Exchange } from "../../../model/exchange.ts";
import { marksOf, shortestWith } from "../../../model/marks.ts";
import {
  parametersIn,
  textsIn,
  type RequestFacts,
  type Trial,
  isExplained,
} from "../../../model/request-facts.ts";
import { changeOf, invalid, type RequestSpec } from "../../../model/request.ts";
import { valueAt, type Json } from "../../../spec/json.ts";
import { contextOf } from "../../../suites/kit/context.ts";
import { createContext, type RunContext } from "../../../suites/run/context.ts";

/** How many requests experiments send at most: for one crash, and in a run. */
const most = { forCrash: 6, inRun: 60 };

/** How many characters the columns of databases usually hold. */
const widths = [2, 3, 8, 10, 11, 12, 16, 20, 30, 32, 34, 35, 50, 64, 100, 128, 140, 200, 255];
const powersOfTen = Array.from({ length: 20 }, (_, exponent) => 10 ** exponent);

/** What of a request is odd: a value of its body, a header, or a parameter of its query. */
type Part =
  | { readonly kind: "value"; readonly name: string; readonly value: Json }
  | { readonly kind: "header" | "parameter"; readonly name: string };
type Crashes = (parts: readonly Part[]) => Promise<boolean>;

/**
 * Finds out by further requests, one at a time, what in the requests of these crashes it takes:
 * those with the fewest odd parts first, of these those with the most texts, as they explain the
 * most others, and of these the shortest. Notes whether each one that was sent again, as it is and
 * alone, crashed again.
 */
export async function tryCrashes(
  run: RunContext,
  crashes: readonly RepeatableFinding[],
): Promise<void> {
  const budget = { left: most.inRun };
  const shown: Trial[] = [];
  const parts = ({ exchange }: RepeatableFinding): number =>
    partsOf(run, exchange).length || Infinity;
  const texts = ({ exchange }: RepeatableFinding): number => textsIn(exchange.request.json).length;
  const size = ({ exchange }: RepeatableFinding): number => exchange.request.body?.length ?? 0;
  const inOrder = crashes.toSorted(
    (one, other) =>
      parts(one) - parts(other) || texts(other) - texts(one) || size(one) - size(other),
  );
  for (const crash of inOrder) {
    const facts = run.recorder.requests().get(crash.exchange.id);
    if (facts === undefined || shown.some((trial) => isExplained(facts, trial))) continue;
    const trial = facts.trial?.comesBack === false ? undefined : await trialOf(run, crash, budget);
    if (trial === undefined) continue;
    if (trial.comesBack) shown.push(trial);
    run.recorder.tried(crash.exchange.id, trial);
  }
}

/** Thrown when an experiment may send no more. */
class Spent extends Error {}

/** What experiments show of a crash. Undefined if not even its request could be sent again. */
async function trialOf(
  run: RunContext,
  finding: RepeatableFinding,
  budget: { left: number },
): Promise<Trial | undefined> {
  const { sender, recorder } = run;
  const { exchange, origin } = finding;
  const spec = sender.specOf(exchange);
  if (spec === undefined) return undefined;
  let left = most.forCrash;
  const send = async (of: RequestSpec): Promise<Exchange> => {
    if (left === 0 || budget.left === 0) throw new Spent();
    left -= 1;
    budget.left -= 1;
    // What makes a request invalid can be the operation in its path.
    const isTaken = of.operation === "addAcamItem" && of.intent.kind !== "invalid";
    const own = isTaken ? await forFreshOperation(run, of) : of;
    return sender.send(own, { ...origin, share: "proof" });
  };
  const crashes: Crashes = async (parts) => isCrash(await send(withParts(spec, parts)));
  let trial: Trial | undefined;
  try {
    const again = await send(spec);
    trial = { comesBack: isCrash(again) };
    const isCalm = !trial.comesBack && again.response.status < 500;
    recorder.repeated(finding, {
      text: trial.comesBack ? "2 of 2" : "1 of 2",
      ...(isCalm && run.settings.concurrency > 1 && { alone: again.response.status }),
    });
    const parts = partsOf(run, exchange);
    if (!trial.comesBack || parts.length === 0) return trial;
    const { operation } = exchange;
    const same = [...recorder.requests().values()].filter((one) => one.operation === operation);
    // What is odd is to blame only if the request passes without it: valid ones may crash as well,
    // and beside a header the body may be odd.
    const isSafe =
      parts.every(({ kind }) => kind === "value") &&
      !same.some(({ change, status }) => change === undefined && status >= 500);
    if (!isSafe && (await crashes([]))) return trial;
    const part = await oneOf(parts, crashes);
    if (part === undefined) return trial;
    const isAnyQuery = (): Promise<boolean> => crashes([{ kind: "parameter", name: "other=1" }]);
    if (part.kind === "parameter" && (await unlessSpent(isAnyQuery)))
      return { ...trial, parameter: "" };
    if (part.kind !== "value") return { ...trial, [part.kind]: part.name };
    trial = { ...trial, place: part.name };
    return { ...trial, ...(await byValue(part.name, part.value, exchange, crashes, same)) };
  } catch (error) {
    if (error instanceof Spent || error instanceof Inconclusive) return trial;
    throw error;
  }
}

/** A request for an item, for a new operation: a server may take only one valid item for each. */
async function forFreshOperation(run: RunContext, spec: RequestSpec): Promise<RequestSpec> {
  const scenario = { id: "experiments", title: "experiments", checks: [], share: "proof" } as const;
  const { servingPayee, create, target } = contextOf(createContext(run, scenario));
  const { id } = await create({ counterparty: await servingPayee(), amount: target.amount.max });
  return { ...spec, path: { ...spec.path, operation_id: id } };
}

/** The parts of a request that are unlike a valid one. */
function partsOf({ sender }: Pick<RunContext, "sender">, exchange: Exchange): readonly Part[] {
  const { intent, request } = exchange;
  const spec = sender.specOf(exchange);
  if (intent.kind === "valid" || spec === undefined) return [];
  const places = spec.varied === undefined ? [] : (intent.places ?? []);
  return [
    ...places.flatMap((name): readonly Part[] => {
      const value = valueAt(request.json, name);
      return value === undefined ? [] : [{ kind: "value", name, value }];
    }),
    ...(intent.headers ?? []).map((name) => ({ kind: "header", name }) as const),
    ...parametersIn(`?${(spec.query ?? "").slice(1)}`).map(
      (name) => ({ kind: "parameter", name }) as const,
    ),
  ];
}

/** The request with these of its odd parts, and right values in place of the others. */
function withParts(spec: RequestSpec, parts: readonly Part[]): RequestSpec {
  const has = (kind: Part["kind"], name: string): boolean =>
    parts.some((part) => part.kind === kind && part.name === name.toLowerCase());
  const values = parts.flatMap((part) =>
    part.kind === "value" ? [[part.name, part.value] as const] : [],
  );
  // Without its odd headers and its query, a request may be valid: neither answer to it is wrong.
  const { refusal: _, ...sent } = spec;
  const unjudged = { ...sent, intent: invalid(changeOf(spec.intent)) };
  const base = spec.varied?.(Object.fromEntries(values)) ?? unjudged;
  const query = parts.flatMap(({ kind, name }) => (kind === "parameter" ? [name] : []));
  return {
    ...base,
    headers: (spec.headers ?? []).filter(([name]) => has("header", name)),
    query: query.length === 0 ? "" : `?${query.join("&")}`,
  };
}

/**
 * Of these, which crash the server together, one that does without the others: the first, as many
 * servers crash at any of them, or what halving finds. Undefined if it takes several.
 */
async function oneOf(items: readonly Part[], crashes: Crashes): Promise<Part | undefined> {
  const [first, ...others] = items;
  if (first === undefined || others.length === 0 || (await crashes([first]))) return first;
  let left: readonly Part[] = others;
  let isSure = false;
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2));
    isSure = await crashes(half);
    left = isSure ? half : left.slice(half.length);
  }
  return isSure || (await crashes(left)) ? left[0] : undefined;
}

/** What it takes at a place, where this value crashes the server. */
async function byValue(
  place: string,
  value: Json,
  exchange: Exchange,
  crashes: Crashes,
  same: readonly RequestFacts[],
): Promise<Partial<Trial>> {
  const others = same.filter(({ status }) => status < 300);
  const crashesAt = (at: string, tried: Json): Promise<boolean> =>
    crashes([{ kind: "value", name: at, value: tried }]);
  if (typeof value === "number") {
    const taken = Math.max(0, ...others.map(({ amount = 0 }) => amount));
    if (!place.endsWith("amount") || value <= taken) return {};
    const possible = powersOfTen.filter((power) => power > taken && power < value);
    return { from: await firstOf([...possible, value], (from) => crashesAt(place, from)) };
  }
  if (typeof value !== "string") return {};
  const further = textsIn(exchange.request.json)
    .map(([at]) => at)
    .filter((at) => at !== place);
  const elsewhere = plainPlaces.flatMap((end) => further.find((at) => at.endsWith(end)) ?? [])[0];
  const isAnywhere = async (tried: string): Promise<boolean> =>
    elsewhere !== undefined && (await unlessSpent(() => crashesAt(elsewhere, tried))) === true;
  const length = [...value].length;
  const taken = Math.max(0, ...others.map(({ texts }) => texts?.[place] ?? 0));
  const isTooLong = (width: number): Promise<boolean> => crashesAt(place, plainText(width + 1));
  if (length > 0 && (await isTooLong(length - 1))) {
    if (length <= taken || (await isTooLong(Math.max(taken, 1) - 1))) return {};
    const over = await narrowest(taken, length - 1, isTooLong);
    return { over, isAnywhere: await isAnywhere(plainText(over + 1)) };
  }
  // What a text that was taken at this place has is not to blame, and what most crashes share is
  // tried first.
  const crashed = same.filter(({ status }) => status >= 500);
  const crashesWith = (mark: string): number =>
    crashed.filter((one) => one.marks?.[mark] !== undefined).length;
  const marks = marksOf(value)
    .filter((mark) => !others.some((one) => one.marks?.[mark]?.includes(place)))
    .toSorted((one, other) => crashesWith(other) - crashesWith(one));
  for (const mark of marks)
    if (await crashesAt(place, shortestWith([mark], value)))
      return { mark, isAnywhere: await isAnywhere(shortestWith([mark], value)) };
  return {};
}

/**
 * How many characters a text may have at most. As many as `taken` are known to be taken, and more
 * than `most` to be too many.
 */
async function narrowest(
  taken: number,
  most: number,
  isTooLong: (width: number) => Promise<boolean>,
): Promise<number> {
  const possible = [taken, ...widths.filter((width) => width > taken && width < most), most];
  const over = await firstOf(possible, isTooLong);
  const before = possible[possible.indexOf(over) - 1] ?? over;
  if (over - before <= 1 || !(await unlessSpent(() => isTooLong(over - 1)))) return over;
  const between = Array.from({ length: over - before - 1 }, (_, nth) => before + nth + 1);
  return firstOf(between, isTooLong);
}

/** Members that hold a text of any kind, which servers check least. */
const plainPlaces = ["/name", "/bank_name", "/address", "/city", "/merchant"];

/** What an attempt finds. Undefined if it may send no more requests. */
async function unlessSpent(attempt: () => Promise<boolean>): Promise<boolean | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Spent) return undefined;
    throw error;
  }
}

/**
 * The first of these values for which a condition holds that holds for all later ones, too. It is
 * known to hold for the last. If no more may be sent, the first for which it was seen to hold.
 */
async function firstOf(
  values: readonly number[],
  holds: (value: number) => Promise<boolean>,
): Promise<number> {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const isFound = await unlessSpent(() => holds(values[middle] ?? 0));
    if (isFound === undefined) break;
    if (isFound) to = middle;
    else from = middle + 1;
  }
  return values[to] ?? 0;
}

let plainTexts = 0;

/** A text of letters alone, which no earlier one is like: a server may want it to be new. */
function plainText(length: number): string {
  plainTexts += 1;
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const own = [...String(plainTexts)].map((digit) => letters[Number(digit)]).join("");
  return `${own}${letters.repeat(Math.ceil(length / 26))}`.slice(0, length);
}
