import { groups } from "../../model/groups.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { together } from "../run/concurrency.ts";

/** Something odd at one place of a request: a kind of text at a member, or a kind of header. */
export interface Part {
  readonly kind: string;
  readonly place: string;
  /** Many servers refuse this kind where they require the member: it is sent last. */
  readonly isOftenRefused?: boolean;
}

interface Trial<P extends Part> {
  /** The parts, the most revealing first: those at doubted places are sent in this order. */
  readonly parts: readonly P[];
  /** Sends one request with all of these parts. */
  readonly send: (parts: readonly P[]) => Promise<Exchange>;
  /** Whether a response leaves nothing to find out. @defaultValue whether it is a success */
  readonly isFine?: (exchange: Exchange) => boolean;
  /** How many requests take others apart at most. @defaultValue 32 */
  readonly mostApart?: number;
  /** Takes note of the response to the last request with a part. */
  readonly note?: (part: P, exchange: Exchange) => void;
}

/**
 * How many requests take others apart at most, at first and among doubted kinds, and how many are sent
 * of doubted places alone.
 */
const most = { apart: 32, ofDoubtedKinds: 6, ofDoubtedPlaces: 4 };

/** How many requests are in flight. */
const wave = 6;

/** After so many refused requests of one kind, none of them accepted, the kind is refused everywhere. */
const refusedEverywhere = 3;

/**
 * Sends parts in rows: one kind at all its places, so that what a server does to a kind shows at all
 * of them. A request that is refused is taken apart in halves until each part was accepted or
 * refused alone. The first two rows go alone: they show which places take nothing of the sort. A
 * place or a kind that is likely to be refused keeps no other one from being tried: it is left out
 * from then on, and sent at the end in a few requests.
 */
export async function tryTogether<P extends Part>({
  parts,
  send,
  isFine = isSuccess,
  mostApart = most.apart,
  note,
}: Trial<P>): Promise<void> {
  const seen = createTallies();
  let left = mostApart;
  const learn = (some: readonly P[], exchange: Exchange): void => {
    seen.learn(some, isFine(exchange));
    for (const one of some) note?.(one, exchange);
  };
  /** Sends rows, without the parts that are to be left out. Resolves to these. */
  const sendAll = async (
    rows: readonly (readonly P[])[],
    isLeftOut: (one: P) => boolean,
    isApart = (_some: readonly P[], _exchange: Exchange): boolean => true,
  ): Promise<readonly P[]> => {
    const waiting = [...rows];
    const out: P[] = [];
    while (waiting.length > 0) {
      const next = waiting.splice(0, wave);
      out.push(...next.flat().filter(isLeftOut));
      const sent = next
        .map((some) => some.filter((one) => !isLeftOut(one)))
        .filter(({ length }) => length > 0);
      const exchanges = await together(sent.map(send));
      const smaller = sent.flatMap((some, nth) => {
        const exchange = exchanges[nth];
        if (exchange === undefined) return [];
        const isWhole = isFine(exchange) || left <= 0 || !isApart(some, exchange);
        const smaller = isWhole ? [] : seen.apart(some);
        left -= smaller.length;
        if (smaller.length === 0) learn(some, exchange);
        else seen.learnTogether(some);
        return smaller;
      });
      waiting.unshift(...smaller);
    }
    return out;
  };
  const isDoubtful = (one: P): boolean => seen.isPlaceDoubted(one) || seen.isKindDoubted(one);
  const usual = parts.filter(({ isOftenRefused }) => isOftenRefused !== true);
  const [first = [], second = [], ...others] = rowsOf(usual).toSorted(
    (a, b) => b.length - a.length,
  );
  const doubted = [
    ...(await sendAll([first], isDoubtful)),
    ...(await sendAll([second], isDoubtful)),
    ...(await sendAll(others, isDoubtful)),
    ...parts.filter((one) => !usual.includes(one)),
  ];
  left = Math.min(mostApart, most.ofDoubtedKinds);
  const late = await sendAll(
    rowsOf(doubted),
    seen.isPlaceDoubted,
    (some) => !some.every(seen.isRefusedEverywhere),
  );
  const isCrash = (_some: unknown, { response }: Exchange): boolean => response.status >= 500;
  await sendAll(rowsOf(late).slice(0, most.ofDoubtedPlaces), () => false, isCrash);
}

/**
 * Puts parts into as few requests as possible: those of one kind share a request, and what is of a
 * kind of its own shares one with such parts at other places.
 */
function rowsOf<P extends Part>(parts: readonly P[]): readonly (readonly P[])[] {
  const byKind = [...groups(parts, ({ kind }) => kind).values()];
  const single = byKind.filter(({ length }) => length === 1).flat();
  const rowOf = (one: P): string | number =>
    single.includes(one)
      ? single.filter(({ place }) => place === one.place).indexOf(one)
      : `of ${one.kind}`;
  return [...groups(parts, rowOf).values()];
}

/** How often something was accepted, and how often it was refused alone. */
interface Tally {
  accepted: number;
  refused: number;
}

/** Refused so often, and not three times as often accepted: it is likely to be refused. */
const isLikelyRefused = ({ accepted, refused }: Tally, least: number): boolean =>
  refused >= least && accepted < 3 * refused;

/** Remembers which kinds and places were accepted and refused. */
function createTallies() {
  const kinds = new Map<string, Tally>();
  const places = new Map<string, Tally>();
  const refusedTogether = new Map<string, number>();
  const tallyIn = (tallies: Map<string, Tally>, name: string): Tally => {
    const tally = tallies.get(name) ?? { accepted: 0, refused: 0 };
    tallies.set(name, tally);
    return tally;
  };
  const placeOf = ({ place }: Part): Tally => tallyIn(places, place);
  /** Whether a place was refused alone, and has accepted nothing yet. */
  const isSuspect = (one: Part): boolean => placeOf(one).refused > 0 && placeOf(one).accepted === 0;
  /** A request of one kind, at places that have accepted others, was refused. */
  const learnTogether = (some: readonly Part[]): void => {
    const [kind = "", ...others] = new Set(some.map((one) => one.kind));
    if (others.length === 0 && some.some((one) => placeOf(one).accepted > 0))
      refusedTogether.set(kind, (refusedTogether.get(kind) ?? 0) + 1);
  };
  const isRefusedEverywhere = ({ kind }: Part): boolean =>
    tallyIn(kinds, kind).accepted === 0 && (refusedTogether.get(kind) ?? 0) >= refusedEverywhere;
  return {
    learn: (some: readonly Part[], isAccepted: boolean): void => {
      const isClear = some.length === 1 || some.every(isSuspect);
      if (!isAccepted) learnTogether(some);
      for (const one of some) {
        // A place that takes nothing says nothing of a kind.
        const ofKind = placeOf(one).accepted > 0 ? [tallyIn(kinds, one.kind)] : [];
        if (isAccepted) {
          tallyIn(kinds, one.kind).accepted += 1;
          placeOf(one).accepted += 1;
        } else if (isClear) for (const tally of [placeOf(one), ...ofKind]) tally.refused += 1;
      }
    },
    learnTogether,
    isPlaceDoubted: (one: Part): boolean => isLikelyRefused(placeOf(one), 2),
    isRefusedEverywhere,
    isKindDoubted: (one: Part): boolean =>
      isLikelyRefused(tallyIn(kinds, one.kind), 1) || isRefusedEverywhere(one),
    /** The smaller requests of a refused one. None if each part was refused alone before. */
    apart: <P extends Part>(some: readonly P[]): readonly (readonly P[])[] => {
      if (some.length === 1) return [];
      const suspects = some.filter(isSuspect);
      if (suspects.length === some.length) return [];
      if (suspects.length > 0) return [some.filter((one) => !suspects.includes(one)), suspects];
      const middle = Math.ceil(some.length / 2);
      return [some.slice(0, middle), some.slice(middle)];
    },
  };
}
