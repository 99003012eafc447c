import { isObject } from "../../model/exchange.ts";

/** A response with only a slice of its lists, short enough to validate at once. */
export interface Part {
  readonly value: unknown;
  /** Converts a JSON pointer into the part to one into the whole response. */
  readonly pointerInWhole: (pointer: string) => string;
}

/**
 * At each element with errors, Ajv copies all errors so far: a server could choose a list that takes quadratic time.
 */
const atOnce = 100;

/** The parts of a response with batches or operations in it. Any other response is its own only part. */
export function* partsOf(value: unknown): Generator<Part> {
  const batches = listIn(value, "batches");
  if (batches === undefined) return yield* partsOfBatch(value);
  let from = 0;
  let weight = 0;
  for (const [index, batch] of batches.entries()) {
    const own = listIn(batch, "operations")?.length ?? 0;
    if (own > atOnce) {
      if (index > from) yield sliceOf(value, "batches", from, index);
      for (const part of partsOfBatch(batch)) yield within(value, index, part);
      from = index + 1;
      weight = 0;
    } else if ((weight += 1 + own) > atOnce) {
      yield sliceOf(value, "batches", from, index + 1);
      from = index + 1;
      weight = 0;
    }
  }
  if (from < batches.length || batches.length === 0) yield sliceOf(value, "batches", from, batches.length);
}

function* partsOfBatch(batch: unknown): Generator<Part> {
  const count = listIn(batch, "operations")?.length ?? 0;
  if (count <= atOnce) return yield { value: batch, pointerInWhole: (pointer) => pointer };
  for (let from = 0; from < count; from += atOnce) yield sliceOf(batch, "operations", from, from + atOnce);
}

const listIn = (value: unknown, member: string): readonly unknown[] | undefined => {
  const list = isObject(value) ? value[member] : undefined;
  return Array.isArray(list) ? list : undefined;
};

const sliceOf = (value: unknown, member: string, from: number, to: number): Part => ({
  value: { ...(value as object), [member]: listIn(value, member)?.slice(from, to) },
  pointerInWhole: (pointer) =>
    pointer.replace(new RegExp(`^/${member}/(\\d+)`), (_, index: string) => `/${member}/${Number(index) + from}`),
});

/** A part of one batch of a list. */
const within = (list: unknown, index: number, part: Part): Part => ({
  value: { ...(list as object), batches: [part.value] },
  pointerInWhole: (pointer) =>
    pointer.replace(/^\/batches\/0(.*)$/s, (_, rest: string) => `/batches/${index}${part.pointerInWhole(rest)}`),
});
