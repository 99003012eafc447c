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
 * Reads the pages that people edit. `read` returns the content of a file of `spec/`. Throws an error
 * for the first mistake, which begins with its file and its line there.
 */
export function proseOf(read: (file: string) => string): Prose {
  return {
    interpretations: pageOf("interpretations", interpretationIds, read, interpretation),
    questions: pageOf("questions", questionIds, read, question),
    sections: pageOf("sections", sectionNames, read, section),
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
  /** What is no plain text in it first, and where it stands in the page. */
  readonly mark?: { readonly found: string; readonly at: number } | undefined;
}

/**
 * What Markdown reads as more than a paragraph: emphasis, links, headings, tables, lists, rules and
 * code blocks. Reports show a text as it is, so it has none of it.
 */
const markPattern = /[*[\]<>#|~`]|(?<!\w)_|_(?!\w)|^(?:[-+]|\d+[.)])(?= )|^[-=]+$|^[ \t]+/m;
const label = /^\*\*[^*]+:\*\* /gm;

const entryPattern = /^## ([^:\n]+)(?:: (.+))?\n+(?:_([^_]+)_\n+)?((?:(?!## ).*\n)*)/gm;

function entriesOf(page: string): readonly Entry[] {
  return [...page.matchAll(entryPattern)].map(({ index, ...groups }) => {
    const { 0: whole, 1: id = "", 2: title = "", 3: facts = "", 4: body = "" } = groups;
    const [text = "", ...parts] = words(body).split(/ ?\*\*([^*]+):\*\* /);
    const before = index + whole.length - body.length;
    const found = markPattern.exec(body.replaceAll(label, (one) => "x".repeat(one.length)));
    return {
      at: index,
      id,
      title,
      facts: words(facts).split("; "),
      text,
      parts,
      mark: found === null ? undefined : { found: found[0], at: before + found.index },
    };
  });
}

const words = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

/** The texts of one page. The list of its ids has the name of the page. */
function pageOf<Id extends string, Text>(
  name: string,
  ids: readonly Id[],
  read: (file: string) => string,
  textOf: (entry: Entry) => Text,
): Readonly<Record<Id, Text>> {
  const list = `${name}.ts`;
  // A checkout may have the line ends of Windows.
  const page = `${read(`${name}.md`).replaceAll("\r", "")}\n`;
  const mistake = (at: number, what: string, file = `${name}.md`, text = page): Error =>
    new Error(`spec/${file}:${text.slice(0, at).split("\n").length}: ${what}`);
  for (const { 0: id, index } of page.matchAll(/(?<!^## )\b(?:INT|OPEN)-\d+/gm))
    if (!known.has(id)) throw mistake(index, `there is no ${id}`);
  const texts = new Map<string, Text>();
  for (const entry of entriesOf(page)) {
    const { id, at, mark: first } = entry;
    if (first !== undefined)
      throw mistake(
        first.at,
        `${id}: “${first.found}” is Markdown, and an entry has plain paragraphs and labels alone`,
      );
    try {
      if (!ids.some((one) => one === id)) throw new Error(`spec/${list} does not list it`);
      if (texts.has(id)) throw new Error("it has two texts");
      texts.set(id, textOf(entry));
      filled(entry.text, "text");
    } catch (error) {
      throw mistake(at, `${id}: ${(error as Error).message}`);
    }
  }
  const lacking = ids.find((id) => !texts.has(id));
  if (lacking === undefined)
    return Object.fromEntries(ids.map((id) => [id, texts.get(id)])) as Record<Id, Text>;
  const lines = read(list);
  const at = lines.indexOf(`"${lacking}"`);
  throw mistake(at, `${lacking} has no text in spec/${name}.md`, list, lines);
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
