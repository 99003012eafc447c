import { Inconclusive } from "../../../harness/errors.ts";
import type { RepeatableFinding } from "../../../model/evidence/findings.ts";
import type { Exchange } from "../../../model/exchange.ts";
import type { RequestFacts, Trial } from "../../../model/request-facts.ts";
import { isExplained, limitOf } from "../../../model/trials.ts";
import type { RunContext } from "../../../suites/run/context.ts";
import { valueAt, type Json } from "../../../spec/json.ts";

/** How many requests experiments send at most: for one crash, and in a run. */
const most = { forCrash: 8, inRun: 60 };

/** How many characters the columns of databases usually hold. */
const widths = [2, 3, 8, 10, 11, 12, 16, 20, 30, 32, 34, 35, 50, 64, 100, 128, 140, 200, 255];
const powersOfTen = Array.from({ length: 20 }, (_, exponent) => 10 ** exponent);

type Values = Readonly<Record<string, Json>>;
type Crashes = (values: Values) => Promise<boolean>;
type Experimenting = Pick<RunContext, "sender" | "recorder">;

/** A finding of a crash, and whether its request crashed the server again when it was sent alone. */
export interface Crash {
  readonly finding: RepeatableFinding;
  readonly comesBack?: boolean;
}

/**
 * Finds out by further requests, one at a time, what in the requests of these crashes it takes:
 * those with the fewest odd values first, as they may explain the others.
 */
export async function tryCrashes(run: Experimenting, crashes: readonly Crash[]): Promise<void> {
  let left = most.inRun;
  const limits: Trial[] = [];
  for (const crash of crashes.toSorted((one, other) => oddValues(one) - oddValues(other))) {
    const { exchange } = crash.finding;
    const facts = run.recorder.requests().get(exchange.id);
    if (facts === undefined || facts.trial?.comesBack === false) continue;
    if (limits.some((limit) => isExplained(facts, limit))) continue;
    const budget = { left: Math.min(left, most.forCrash) };
    const before = budget.left;
    const trial = await trialOf(run, crash, budget);
    left -= before - budget.left;
    if (trial === undefined) continue;
    if (limitOf(trial) !== undefined) limits.push(trial);
    run.recorder.tried(exchange.id, trial);
  }
}

function oddValues({ finding: { exchange } }: Crash): number {
  return exchange.intent.kind === "valid" ? 0 : (exchange.intent.places?.length ?? 0);
}

/** Thrown when an experiment may send no more requests. */
class Spent extends Error {}

/** What experiments show of a crash. Undefined if not even its request could be sent again. */
async function trialOf(
  { sender, recorder }: Experimenting,
  { finding: { exchange, origin }, comesBack }: Crash,
  budget: { left: number },
): Promise<Trial | undefined> {
  const spec = sender.specOf(exchange);
  if (spec === undefined) return undefined;
  const send = async (of: typeof spec): Promise<boolean> => {
    if (budget.left === 0) throw new Spent();
    budget.left -= 1;
    return isCrash(await sender.send(of, { ...origin, share: "proof" }));
  };
  let trial: Trial | undefined;
  try {
    const isBack = comesBack ?? (await send(spec));
    trial = { comesBack: isBack };
    const { varied } = spec;
    const values = valuesOf(exchange);
    if (!isBack || varied === undefined || Object.keys(values).length === 0) return trial;
    const crashes: Crashes = (tried) => send(varied(tried));
    const others = [...recorder.requests().values()].filter(
      ({ operation, status }) => operation === exchange.operation && status < 500,
    );
    for (const ask of [byLength, byAmount, byPlace]) {
      const found = await ask(values, crashes, others);
      if (found !== undefined) return { ...trial, ...found };
    }
    return trial;
  } catch (error) {
    if (error instanceof Spent || error instanceof Inconclusive) return trial;
    throw error;
  }
}

export const isCrash = ({ response: { status } }: Pick<Exchange, "response">): boolean =>
  status >= 500 && status < 600;

/** The odd values of a request by their places. */
function valuesOf({ intent, request }: Exchange): Values {
  const places = intent.kind === "valid" ? [] : (intent.places ?? []);
  return Object.fromEntries(
    places.flatMap((place) => {
      const value = valueAt(request.json, place);
      return value === undefined ? [] : [[place, value] as const];
    }),
  );
}

type Question = (
  values: Values,
  crashes: Crashes,
  others: readonly RequestFacts[],
) => Promise<Partial<Trial> | undefined>;

/** Whether plain texts of the same length crash too: at which place, and from which length on. */
const byLength: Question = async (values, crashes, others) => {
  const taken = (place: string): number =>
    Math.max(0, ...others.map(({ texts }) => texts?.[place] ?? 0));
  const plain = Object.fromEntries(
    Object.entries(values).flatMap(([place, value]) =>
      typeof value === "string" && [...value].length > taken(place)
        ? [[place, plainText([...value].length)] as const]
        : [],
    ),
  );
  if (Object.keys(plain).length === 0 || !(await crashes(plain))) return undefined;
  const place = await placeIn(plain, crashes);
  if (place === undefined) return undefined;
  const length = String(plain[place]).length;
  const possible = widths.filter((width) => width >= taken(place) && width < length - 1);
  const over = await firstOf([...possible, length - 1], (width) =>
    crashes({ [place]: plainText(width + 1) }),
  );
  return { place, over };
};

/** Whether an amount is larger than any that was taken, and from which amount on the server crashes. */
const byAmount: Question = async (values, crashes, others) => {
  const [[place = "", value] = [], ...further] = Object.entries(values);
  const taken = Math.max(0, ...others.map(({ amount = 0 }) => amount));
  if (place !== "/currency_amount" || typeof value !== "number" || further.length > 0)
    return undefined;
  if (value <= taken) return undefined;
  const possible = powersOfTen.filter((power) => power > taken && power < value);
  return {
    place,
    from: await firstOf([...possible, value], (from) => crashes({ [place]: from })),
  };
};

/** At which place the odd value crashes the server. Undefined if it does so elsewhere, too. */
const byPlace: Question = async (values, crashes) => {
  const place = await placeIn(values, crashes);
  if (place === undefined) return undefined;
  const { [place]: _, ...others } = values;
  return Object.keys(others).length > 0 && (await crashes(others)) ? undefined : { place };
};

/**
 * The place whose value alone crashes the server, as all of them do. Undefined if it takes several.
 */
async function placeIn(values: Values, crashes: Crashes): Promise<string | undefined> {
  let left = Object.keys(values);
  let isShown = true;
  const only = (places: readonly string[]): Values =>
    Object.fromEntries(places.map((place) => [place, values[place] ?? null]));
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2));
    isShown = await crashes(only(half));
    left = isShown ? half : left.slice(half.length);
  }
  return isShown || (await crashes(only(left))) ? left[0] : undefined;
}

/**
 * The first of these values for which a condition holds that holds for all later ones, too. It is
 * known to hold for the last.
 */
async function firstOf(
  values: readonly number[],
  holds: (value: number) => Promise<boolean>,
): Promise<number> {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(values[middle] ?? 0)) to = middle;
    else from = middle + 1;
  }
  return values[to] ?? 0;
}

/** A text of letters alone. */
function plainText(length: number): string {
  return "ABCDEFGHIJKLMNOPQRSTUVWXYZ".repeat(Math.ceil(length / 26)).slice(0, length);
}
