import type { Run } from "../../model/run.ts";
import { questionIds, type QuestionId } from "../../spec/questions.ts";
import { plain } from "../../reports/sanitize.ts";
import { groups } from "../../reports/groups.ts";

/** The lines of a statement for one question. */
interface StatementEntry {
  /** Whether it pins anything; otherwise all its lines are comments. */
  readonly pinned: boolean;
  readonly text: string;
}

/** An entry for each observed question: `answer: [cases]`, and in comments the cases that are not the same in all runs. */
export const statementEntries = (runs: readonly Run[]): readonly StatementEntry[] =>
  questionIds.flatMap((id) => {
    const observations = runs.map((run) => run.observations.find((one) => one.id === id));
    const question = observations.find((one) => one !== undefined)?.question;
    const cases = casesOf(id, runs);
    return question === undefined || cases.length === 0 ? [] : [entryOf(id, question, cases)];
  });

/** A case with the answers of each run; none where the run did not observe it. */
interface Case {
  readonly name: string;
  readonly answers: readonly (readonly string[])[];
}

function casesOf(id: QuestionId, runs: readonly Run[]): readonly Case[] {
  const answers = runs.map((run) => run.observations.find((one) => one.id === id)?.answers ?? []);
  const names = [...new Set(answers.flatMap((list) => list.map((one) => one.case)))];
  return names.map((name) => ({
    name,
    answers: answers.map((list) =>
      [...new Set(list.filter((one) => one.case === name).map(({ answer }) => answer))].toSorted(),
    ),
  }));
}

function entryOf(id: QuestionId, question: string, cases: readonly Case[]): StatementEntry {
  const pinned = cases.filter(isSameInAll);
  const varying = cases.filter((one) => !isSameInAll(one));
  const byAnswer = groups(
    pinned.flatMap(({ name, answers: [first = []] }) => first.map((answer) => ({ name, answer }))),
    ({ answer }) => answer,
  );
  const lines = [...byAnswer].flatMap(([answer, rows]) =>
    answerLines(
      answer,
      rows.map(({ name }) => name),
    ),
  );
  const comments = varying.map(({ name, answers }) => `#   ${plain(name, 200)}: ${varyingText(answers)}`);
  const text = [
    pinned.length > 0 ? `${id}: # ${plain(question)}` : `# ${id}: ${plain(question)}`,
    ...lines,
    ...(comments.length > 0 ? ["# Not the same in all reports:", ...comments] : []),
  ].join("\n");
  return { pinned: pinned.length > 0, text };
}

/** The cases of an answer; those that begin with the same words are grouped under these words. */
function answerLines(answer: string, cases: readonly string[]): readonly string[] {
  const { prefixes, rest } = byPrefix(cases);
  if (prefixes.size === 0) return [wrapped(`  ${scalar(answer)}: [`, rest.map(scalar), "]")];
  return [
    `  ${scalar(answer)}:`,
    ...[...prefixes].map(([prefix, ends]) => wrapped(`    - ${scalar(prefix)}: [`, ends.map(scalar), "]")),
    ...(rest.length > 0 ? [wrapped("    - [", rest.map(scalar), "]")] : []),
  ];
}

/** Groups of cases by their first words, as long as one of them makes the text much shorter. */
function byPrefix(cases: readonly string[]): {
  readonly prefixes: ReadonlyMap<string, readonly string[]>;
  readonly rest: readonly string[];
} {
  const prefixes = new Map<string, readonly string[]>();
  let rest = cases;
  for (;;) {
    const counts = groups(
      rest.flatMap((name) => beginnings(name)),
      (beginning) => beginning,
    );
    const [best] = [...counts]
      .map(([prefix, { length }]) => ({ prefix, saved: (length - 1) * prefix.length }))
      .toSorted((a, b) => b.saved - a.saved);
    if (best === undefined || best.saved < 2 * columns) return { prefixes, rest };
    const head = `${best.prefix} `;
    prefixes.set(
      best.prefix,
      rest.filter((name) => name.startsWith(head)).map((name) => name.slice(head.length)),
    );
    rest = rest.filter((name) => !name.startsWith(head));
  }
}

/** `a b c` → `a`, `a b`. */
const beginnings = (name: string): readonly string[] =>
  [...name.matchAll(/ /g)].map(({ index }) => name.slice(0, index)).filter((text) => name.length > text.length + 1);

const isSameInAll = ({ answers: [first, ...rest] }: Case): boolean =>
  rest.every((one) => JSON.stringify(one) === JSON.stringify(first));

const varyingText = (answers: Case["answers"]): string =>
  [
    ...new Set(
      answers.map((one) => (one.length === 0 ? "not observed" : one.map((text) => plain(text, 200)).join(", "))),
    ),
  ].join(" / ");

/** YAML without quotes for words that every parser reads as text; JSON, which is YAML, for the rest. */
const scalar = (word: string): string =>
  /^[a-z/][\w /.()+=%-]*$/i.test(word) && !/ $|^(?:true|false|null|yes|no|on|off|[yn])$/i.test(word)
    ? word
    : JSON.stringify(word);

const columns = 160;

/** A list in as few lines as fit. */
function wrapped(head: string, words: readonly string[], tail: string): string {
  const lines: string[] = [];
  const indent = " ".repeat(head.search(/[^\s-]/) + 1);
  let line = head;
  for (const [index, word] of words.entries()) {
    const piece = index === words.length - 1 ? `${word}${tail}` : `${word},`;
    const isFirst = line === head || line.trim() === "";
    if (!isFirst && line.length + 1 + piece.length > columns) {
      lines.push(line);
      line = indent;
    }
    line += line === head ? piece : ` ${piece}`;
  }
  return [...lines, line].join("\n");
}
