import { groups } from "../model/groups.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import type { Observation } from "../model/run.ts";

/**
 * The first `most` items of a list. If there are more, `rest` makes a last item that says how many.
 */
export function atMost<T>(
  most: number,
  items: readonly T[],
  rest: (left: number) => T,
): readonly T[] {
  return items.length <= most ? items : [...items.slice(0, most), rest(items.length - most)];
}

/** A reason as a sentence, with a capital letter and a full stop. */
export function sentence(text: string): string {
  const end = /[.!?…]$/.test(text) ? "" : ".";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

/**
 * Requirements in the order of the catalogue, all of them named: `AUTH-20 to AUTH-35, OPER-02`.
 * Three or more in a row within an area become a range.
 */
export function idsText(ids: readonly RequirementId[]): string {
  const wanted = new Set(ids);
  const areaOf = (id: string): string => id.slice(0, id.lastIndexOf("-"));
  const rows: RequirementId[][] = [];
  let before: RequirementId | undefined;
  for (const id of requirementIds) {
    const isNext = before !== undefined && wanted.has(before) && areaOf(before) === areaOf(id);
    before = id;
    if (!wanted.has(id)) continue;
    if (isNext) rows.at(-1)?.push(id);
    else rows.push([id]);
  }
  return rows
    .map((row) => (row.length < 3 ? row.join(", ") : `${row[0]} to ${row.at(-1)}`))
    .join(", ");
}

/** The answers of an observation, each with its cases. The most frequent answer comes first. */
export function answerGroups({ answers }: Observation) {
  return [...groups(answers, ({ answer }) => answer)]
    .map(([answer, group]) => ({
      answer,
      count: group.reduce((sum, { count }) => sum + count, 0),
      cases: group.map((one) => one.case),
    }))
    .sort((a, b) => b.count - a.count);
}

export type AnswerGroup = ReturnType<typeof answerGroups>[number];

/**
 * A line, wrapped at `width`. The first line begins at column `start`, the others at `hanging`. A
 * word that is longer than a line stays whole.
 */
export function wrapped(line: string, width: number, hanging: number, start = hanging): string {
  const [first = "", ...others] = line.split(" ");
  let column = start + [...first].length;
  let text = first;
  for (const word of others) {
    const length = [...word].length;
    const isNext = column + 1 + length > width;
    text += isNext ? `\n${" ".repeat(hanging)}${word}` : ` ${word}`;
    column = (isNext ? hanging : column + 1) + length;
  }
  return text;
}

/** A number of milliseconds for people: `0.4 ms`, `412 ms`, `3.2 s`, `2 min 5 s`, `3 h 20 min`. */
export function durationText(ms: number): string {
  if (ms < 9.95) return `${trimmed(ms)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trimmed(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 120
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const trimmed = (value: number): string => String(Number(value.toFixed(1)));
