import {
  interpretationIds,
  type Interpretation,
  type InterpretationId,
} from "./interpretations.ts";
import { questionIds, type Question, type QuestionId } from "./questions.ts";
import { sectionNames, type Section, type SectionText } from "./sections.ts";

/** The texts of three pages, by the ids that the compiler knows. */
export interface Prose {
  readonly interpretations: Readonly<Record<InterpretationId, Interpretation>>;
  readonly questions: Readonly<Record<QuestionId, Question>>;
  readonly sections: Readonly<Record<Section, SectionText>>;
}

/**
 * Reads the pages that people edit. `read` returns the content of a file of `spec/`. Throws one
 * error with all mistakes, each in a line that begins with its file and its line there.
 */
export function proseOf(read: (file: string) => string): Prose {
  const pages = {
    interpretations: pageOf("interpretations", interpretationIds, read, interpretation),
    questions: pageOf("questions", questionIds, read, question),
    sections: pageOf("sections", sectionNames, read, section),
  };
  const mistakes = Object.values(pages).flatMap((page) => page.mistakes);
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
  return {
    interpretations: pages.interpretations.texts,
    questions: pages.questions.texts,
    sections: pages.sections.texts,
  };
}

function interpretation({ title, facts, text, parts }: Entry): Interpretation {
  const [source, level, ...open] = facts;
  const [neverBlamed, why] = labelled(parts, ["Never blamed", "Why"]);
  return {
    source: oneOf(sectionNames, source),
    title: filled(title, "title"),
    level: oneOf(["MUST", "SHOULD", "open", "suite"], level),
    reading: text,
    neverBlamed: filled(neverBlamed, "text"),
    why: filled(why, "text"),
    ...(open.length > 0 && { questions: open.map((id) => oneOf(questionIds, id)) }),
  };
}

function question({ title, facts: [source, shows], text, parts }: Entry): Question {
  labelled(parts, []);
  return {
    source: oneOf(sectionNames, source),
    question: filled(title, "title"),
    observed: text,
    shows: oneOf(["every exchange", "sequence", "never"], shows),
  };
}

function section({ text, parts }: Entry): SectionText {
  if (parts.length === 0) return { about: text };
  const [reason] = labelled(parts, ["Reason"]);
  return { about: text, reason: filled(reason, "text") };
}

/** A part of a page: a heading, perhaps a line of facts in italics, and plain paragraphs. */
interface Entry {
  /** Where it begins in the page. */
  readonly at: number;
  readonly id: string;
  readonly title: string;
  readonly facts: readonly string[];
  readonly text: string;
  /** The labels in bold behind the text, each followed by its own text. */
  readonly parts: readonly string[];
  /** What is no plain text in it, and where it stands in the page. */
  readonly marks: readonly { readonly found: string; readonly at: number }[];
}

/**
 * What Markdown reads as more than a paragraph: emphasis, links, headings, tables, lists, rules and
 * code blocks. Reports show a text as it is, so it has none of it.
 */
const mark = /[*[\]<>#|~`]|(?<!\w)_|_(?!\w)|^(?:[-+]|\d+[.)])(?= )|^[-=]+$|^[ \t]+/gm;
const label = /^\*\*[^*]+:\*\* /gm;

const entryPattern = /^## ([^:\n]+)(?:: (.+))?\n+(?:_([^_]+)_\n+)?((?:(?!## ).*\n)*)/gm;

function entriesOf(page: string): readonly Entry[] {
  return [...page.matchAll(entryPattern)].map(({ index, ...groups }) => {
    const { 0: whole, 1: id = "", 2: title = "", 3: facts = "", 4: body = "" } = groups;
    const [text = "", ...parts] = words(body).split(/ ?\*\*([^*]+):\*\* /);
    const before = index + whole.length - body.length;
    const marks = [...body.replaceAll(label, (one) => "x".repeat(one.length)).matchAll(mark)];
    return {
      at: index,
      id,
      title,
      facts: words(facts).split("; "),
      text,
      parts,
      marks: marks.map(({ 0: found, index: at }) => ({ found, at: before + at })),
    };
  });
}

const words = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

/** The texts of one page and its mistakes. The list of its ids has the name of the page. */
function pageOf<Id extends string, Text>(
  name: string,
  ids: readonly Id[],
  read: (file: string) => string,
  textOf: (entry: Entry) => Text,
) {
  const [page, list] = [`${name}.md`, `${name}.ts`];
  // A checkout may have the line ends of Windows.
  const [pageText, listText] = [`${read(page).replaceAll("\r", "")}\n`, read(list)];
  const lineIn = (text: string, at: number): number => text.slice(0, at).split("\n").length;
  const texts = new Map<string, Text>();
  const mistakes = [...pageText.matchAll(/(?<!^## )\b(?:INT|OPEN)-\d+/gm)]
    .filter(([id]) => !known.has(id))
    .map(({ 0: id, index }) => `spec/${page}:${lineIn(pageText, index)}: there is no ${id}`);
  for (const entry of entriesOf(pageText)) {
    const { id, at, marks } = entry;
    const [first] = marks;
    if (first !== undefined)
      mistakes.push(
        `spec/${page}:${lineIn(pageText, first.at)}: ${id}: “${first.found}” is Markdown, and an entry has plain paragraphs and labels alone`,
      );
    try {
      if (!ids.some((one) => one === id)) throw new Error(`spec/${list} does not list it`);
      if (texts.has(id)) throw new Error("it has two texts");
      texts.set(id, textOf(entry));
      filled(entry.text, "text");
    } catch (error) {
      mistakes.push(`spec/${page}:${lineIn(pageText, at)}: ${id}: ${(error as Error).message}`);
    }
  }
  for (const id of ids.filter((one) => !pageText.includes(`\n## ${one}`)))
    mistakes.push(
      `spec/${list}:${lineIn(listText, listText.indexOf(`"${id}"`))}: ${id} has no text in spec/${page}`,
    );
  return {
    texts: Object.fromEntries(ids.map((id) => [id, texts.get(id)])) as Record<Id, Text>,
    mistakes,
  };
}

const known: ReadonlySet<string> = new Set([...interpretationIds, ...questionIds]);

function oneOf<T extends string>(words: readonly T[], word = ""): T {
  const found = words.find((one) => one === word);
  if (found === undefined) throw new Error(`“${word}” is not known here`);
  return found;
}

function filled(text = "", what: string): string {
  if (text === "") throw new Error(`a ${what} is missing`);
  return text;
}

/** The texts behind these labels, which must all be there in this order, and no others. */
function labelled(parts: readonly string[], labels: readonly string[]): readonly string[] {
  const found = parts.filter((_, index) => index % 2 === 0);
  if (found.join() !== labels.join())
    throw new Error(`the labels are “${found.join()}” and not “${labels.join()}”`);
  return parts.filter((_, index) => index % 2 === 1);
}
