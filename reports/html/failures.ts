import { plural } from "../../model/plural.ts";
import type { Cause, RecordedExchange, RequirementResult, Run, Finding } from "../../model/run.ts";
import { waitingText, wentOnText } from "../../model/conclusion/mistake-words.ts";
import { actualText, expectedText, failuresOf, frequencyText, type Failure } from "../failures.ts";
import { documentPlaceText, frameLines } from "../document-place.ts";
import { plain, plainCommand } from "../sanitize.ts";
import { signs } from "../verdict-symbols.ts";
import { explanation, h, type Markup } from "./markup.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { durationText } from "../gate.ts";
import { parsedJson } from "../../model/exchange.ts";
import { defined } from "../../model/defined.ts";

/** How much a page shows, so that it opens and reads quickly. report.json has the rest. */
const bounds = {
  /** The most cards that a section shows. Further mistakes are only counted. */
  cards: 300,
  /**
   * The list of the requirements that a mistake breaks opens with its card, unless it is longer
   * than this.
   */
  open: 3,
  /**
   * The number of further findings on a card, in one line each, besides the first of each
   * requirement.
   */
  brief: 12,
  /** The number of characters of what was expected or found. */
  text: 240,
  /** The number of ids of requirements in a line. */
  ids: 15,
} as const;

/**
 * A mistake of the last full run. Its card keeps its place while requirements are checked again.
 */
export interface KnownMistake {
  readonly key: string;
  readonly verdict: "fail" | "warn";
  readonly id: RequirementId;
  readonly text: string;
}

export function knownMistakes(run: Run): readonly KnownMistake[] {
  return (["fail", "warn"] as const).flatMap((verdict) =>
    failuresOf(run, verdict).map(({ key, cause, members: [{ row }] }) => ({
      key,
      verdict,
      id: row.id,
      text: cause.text,
    })),
  );
}

/**
 * What the cards of a live page need besides the run: what was there before, and what is checked
 * again.
 */
export interface CardContext {
  /** The mistakes of the last full run, in the order of their cards. */
  readonly before?: readonly KnownMistake[] | undefined;
  /** Requirements that are being checked again. */
  readonly checking?: ReadonlySet<RequirementId> | undefined;
}

/** What the cards of a page share. */
interface Cards extends Pick<CardContext, "checking"> {
  readonly exchanges: ReadonlyMap<number, RecordedExchange>;
  /** The requirements whose id is already an anchor on the page. */
  readonly shown: Set<RequirementResult>;
  /** For each requirement, how many cards begin with it. */
  readonly ids: Map<RequirementId, number>;
  /** There is a single card, which can show everything at once. */
  readonly isAlone: boolean;
}

/**
 * The section of the mistakes with this verdict, each as a line that opens a card. The first card
 * is open, unless `isClosed`. Requirements that get their anchor here are added to `shown`. Returns
 * undefined if there is nothing to show.
 */
export function failures(
  run: Run,
  verdict: "fail" | "warn",
  title: string,
  shown: Set<RequirementResult>,
  { before = [], checking, isClosed = false }: CardContext & { readonly isClosed?: boolean } = {},
): Markup | undefined {
  const untested = verdict === "fail" ? run.causes.filter(({ findings }) => findings === 0) : [];
  const all = failuresOf(run, verdict);
  const places = inPlace(
    all,
    before.filter((one) => one.verdict === verdict),
  );
  if (places.length + untested.length === 0) return undefined;
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  const cards: Cards = { exchanges, shown, isAlone: places.length === 1, checking, ids: new Map() };
  const rows = run.requirements.filter((row) => row.verdict === verdict).length;
  const withCurl = verdict === "fail" && run.tokenCommand !== undefined && all.length > 0;
  const more = places.length - bounds.cards;
  return h`<section id="${verdict}" aria-labelledby="${verdict}-title">
<h2 id="${verdict}-title">${title} <span class="of">${countText(rows, all.length)}</span></h2>
<div class="cards">
${untested.map((cause) => untestedCard(cause))}${places
    .slice(0, bounds.cards)
    .map((each, index) =>
      "members" in each ? card(each, verdict, cards, index === 0 && !isClosed) : mendedCard(each),
    )}</div>
${more > 0 && h`<p class="more">and ${plural(more, "more mistake")}, in report.json</p>\n`}${
    withCurl &&
    h`<details class="token"><summary>The token that the curl commands use</summary><div class="command"><pre class="copy">${plain(run.tokenCommand ?? "", 2000)}</pre></div></details>\n`
  }<p class="nothing" hidden>Nothing here matches the filter.</p>
</section>
`;
}

/**
 * Each mistake at the place where it stood before, even if it is mended. New mistakes come last.
 */
function inPlace(
  all: readonly Failure[],
  before: readonly KnownMistake[],
): readonly (Failure | KnownMistake)[] {
  const known = before.map((one) => all.find(({ key }) => key === one.key) ?? one);
  return [...known, ...all.filter((one) => !known.includes(one))];
}

/** The card of a mistake of the last full run that no requirement shows any more. */
function mendedCard({ id, text }: KnownMistake): Markup {
  return h`<article class="card mended pass"><p>
<span class="sign" aria-hidden="true">${signs.pass}</span> <span class="names"><b>${id}</b></span> <span class="level">mended</span> <span>${plain(text, 400)}</span></p></article>
`;
}

/**
 * How many mistakes there are, and how many requirements they concern: `4 mistakes, 26
 * requirements`. Empty if there is no mistake, for example because the target could not be tested.
 */
function countText(rows: number, mistakes: number): string {
  return mistakes === 0 ? "" : `${plural(mistakes, "mistake")}, ${plural(rows, "requirement")}`;
}

/**
 * The card that says why nothing could be tested, and which requirements have no verdict because of
 * that.
 */
function untestedCard(cause: Cause): Markup {
  return h`<article class="card cause untested fail"><div class="body">
<h3><span class="sign" aria-hidden="true">${signs.fail}</span> ${plain(cause.text, 600)}</h3>
${remarks(cause)}${waitingFold(cause)}</div></article>
`;
}

/**
 * Says which requirements have no verdict until a mistake is mended, and with which value the run
 * went on. Undefined if there is nothing to say.
 */
function remarks(cause: Cause): Markup | undefined {
  const waiting = cause.waiting ?? [];
  const texts = [waitingText(waiting), plain(wentOnText(cause), 400)];
  const said = texts.filter((text) => text !== "").join(" ");
  if (said === "") return undefined;
  return h`<p class="remarks">${said}</p>\n`;
}

/** The requirements that have no verdict because of a mistake, folded. False if there are none. */
function waitingFold({ waiting = [] }: Cause): Markup | false {
  return (
    waiting.length > 0 &&
    h`<details class="waiting"><summary>${waiting.length} without a verdict</summary>${idLinks(waiting)}</details>`
  );
}

function idLinks(ids: readonly RequirementId[]): Markup {
  return h`<p class="ids">${ids.map((id) => h`<a href="#${id}">${id}</a> `)}</p>`;
}

/** A card: a line that says what is wrong, and the details that this line opens. */
function card(failure: Failure, verdict: "fail" | "warn", cards: Cards, isOpen: boolean): Markup {
  const { cause, rows, members } = failure;
  const [{ finding: found, row }] = members;
  const exchange = cards.exchanges.get(found.exchange ?? -1);
  // A card that is open from the start folds some parts, so that the lines of other mistakes are
  // near it.
  const isUnfolded = cards.isAlone || !isOpen;
  const more = rows.length > 1 && h` <span class="more">and ${rows.length - 1} more</span>`;
  const isChecked = rows.some(({ id }) => cards.checking?.has(id) === true);
  return h`<article class="card cause ${verdict}${isChecked && " checking"}"><details id="${cardId(row, cards)}"${isOpen && h` open`}>
<summary><span class="sign" aria-hidden="true">${signs[verdict]}</span> <span class="names"><b>${row.id}</b>${more}</span> <span class="level">${isChecked ? "checking …" : cause.level}</span> <h3>${plain(cause.text, 400)}</h3></summary>
<div class="body"${anchorOf(row, cards)}>
${remarks(cause)}${finding(failure, exchange)}<div class="folds">${evidence(found, exchange, isUnfolded)}${broken(failure, cards, isUnfolded)}${further(failure)}${waitingFold(cause)}</div></div>
</details></article>
`;
}

/**
 * The HTML id of a card: the id of its first requirement, and a number. The id stays the same while
 * requirements are checked again.
 */
function cardId({ id }: RequirementResult, { ids }: Cards): string {
  const count = (ids.get(id) ?? 0) + 1;
  ids.set(id, count);
  return `mistake-${id}-${count}`;
}

/**
 * The attributes that make an element the anchor of a requirement. Undefined if an element above it
 * already is the anchor.
 */
function anchorOf(row: RequirementResult, { shown }: Cards): Markup | undefined {
  if (shown.has(row)) return undefined;
  shown.add(row);
  return h` id="${row.id}" tabindex="-1"`;
}

/**
 * The requirements that a mistake breaks: the statement of each, and what its first finding shows,
 * unless that finding is the example of the card.
 */
function broken({ rows, members }: Failure, cards: Cards, isUnfolded: boolean): Markup {
  const [example] = members;
  const names = rows.slice(0, bounds.ids).map(({ id }) => id);
  const left = rows.length - names.length;
  const title = `Breaks ${names.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  const items = rows.map((row) => {
    const first = members.find((member) => member.row === row);
    const shows =
      first !== undefined && first !== example && briefFinding(first.finding, example.finding);
    return requirement(row, cards, shows);
  });
  return h`<details class="breaks"${isUnfolded && rows.length <= bounds.open && h` open`}><summary>${title}</summary>${items}</details>`;
}

function requirement(row: RequirementResult, cards: Cards, shows: Markup | false): Markup {
  const title = h`<a href="#${row.id}">${row.id}</a> <span class="level">${row.level}</span> ${row.statement}`;
  return h`<div class="broken ${row.verdict}"${anchorOf(row, cards)} data-id="${row.id}"><p>${title}</p>
${shows && h`<p class="brief">${shows}</p>`}<p class="source">${row.source} · judged ${row.asked === 1 ? "once" : `${row.asked} times`} · ${plural(row.findings.length, "finding")}</p>${explanation(row)}</div>`;
}

/** The findings that the card shows nowhere else, one line each. */
function further({ rows, members }: Failure): Markup | undefined {
  const [example] = members;
  const firsts = rows.map((row) => members.find((member) => member.row === row));
  const others = members.filter((member) => !firsts.includes(member));
  if (others.length === 0) return undefined;
  const items = others
    .slice(0, bounds.brief)
    .map(
      ({ row, finding: found }) =>
        h`<li><a href="#${row.id}">${row.id}</a> ${briefFinding(found, example.finding)}</li>\n`,
    );
  const left = others.length - bounds.brief;
  return h`<details class="rest"><summary>${plural(others.length, "more finding")}</summary><ul class="brief">${items}${left > 0 && h`<li>and ${left} more, in report.json</li>`}</ul></details>`;
}

/**
 * How a finding differs from the example: what was found, and what was expected if that differs.
 */
function briefFinding(found: Finding, example: Finding): Markup {
  const expected = expectedText(found);
  const isSame = expected === expectedText(example);
  return h`${plain(found.message, 200).replace(/\.$/, "")}: ${!isSame && h`expected <code>${plain(expected, 150)}</code>, `}found <code>${plain(actualText(found), 150)}</code>`;
}

/** The example of a mistake: expected and actual, and the request that shows it. */
function finding({ cause, members }: Failure, exchange: RecordedExchange | undefined): Markup {
  const [{ finding: found, row }] = members;
  const expected = plain(expectedText(found), bounds.text);
  const actual =
    exchange === undefined ? actualText(found) : actualText(found).replace(statusAndBody, "$1");
  const [before, after] = differences(expected, plain(actual, bounds.text));
  return h`<div class="sides"><div class="side expected"><p class="label">Expected</p><pre>${marked(before)}</pre></div><div class="side actual"><p class="label">Actual</p><pre>${marked(after)}</pre></div></div>
<p class="where" data-again="${row.id}">${where(found, exchange, cause)}</p>
${found.document && h`<pre class="message">${frameLines(found.document).map((line) => h`${plain(line, 200)}\n`)}</pre>`}`;
}

/** Request and response, and the commands that check the finding again. */
function evidence(found: Finding, exchange: RecordedExchange | undefined, isOpen: boolean): Markup {
  const title =
    exchange === undefined ? "Check again" : "Request, response, and how to check again";
  const shown = exchange && messages(exchange, found.pointer);
  const curl = plainCommand(found.curl, 3000);
  return h`<details class="exchange"${isOpen && h` open`}><summary>${title}</summary>${shown}
<div class="command"><p class="label">Check again</p><pre class="copy">${plain(found.replay, 3000)}</pre></div>
${curl !== "" && h`<div class="command"><p class="label">As curl</p><pre class="copy">${curl}</pre></div>`}</details>
`;
}

/**
 * Matches the text of a status with a body. The body is cut off, because the response below shows
 * it.
 */
const statusAndBody = /^(status \d{3}) ".*"$/s;

function marked({ before, differing, after }: Difference): Markup {
  return h`${before}${differing !== "" && h`<mark>${differing}</mark>`}${after}`;
}

/**
 * The circumstances of a finding: `POST /batches, valid`, the place in the document, how often it
 * was seen, and the ids that the server gave the request.
 */
function where(
  found: Finding,
  exchange: RecordedExchange | undefined,
  { responses }: Cause,
): Markup {
  // The line of the mistake already says how many responses show it.
  const often = responses === undefined ? frequencyText(found) : "";
  const intent = exchange?.intent ?? found.sent;
  const request = intent === undefined ? "" : `, ${plain(intent, 200)}`;
  return h`${found.operation && h`<span>${operationTitle(found.operation)}${request}</span> `}${
    found.document &&
    h`<span>at <code>${plain(documentPlaceText(found.document), 400)}</code></span> `
  }${often && h`<span>${plain(often, 60)}</span> `}${(exchange?.serverIds ?? [])
    .slice(0, 3)
    .map(
      (id) =>
        h`<span>the server’s request id <code class="server-id">${plain(id, 200)}</code></span> `,
    )}`;
}

/** The most characters of a body that the page shows. report.json has the rest. */
const longestBody = 4000;

/**
 * A request beside its response. Header lines are folded; the line of the response body at
 * `pointer` is marked.
 */
export function messages(exchange: RecordedExchange, pointer?: string): Markup {
  return h`<div class="sides">
<div><p class="label">Request</p>
<pre class="start"><b>${exchange.request.method} ${plain(exchange.request.url, 500)}</b></pre>${headers(exchange.request.headers)}${body(exchange.request.body ?? "", exchange.request.bodyBytes)}</div>
<div><p class="label">Response <span class="took">after ${durationText(exchange.took)}</span></p>
${responseOf(exchange, pointer)}</div>
</div>
`;
}

function responseOf({ response, error }: RecordedExchange, pointer?: string): Markup {
  if (!response)
    return h`<p class="none">No response: ${plain(error ?? "no reason was recorded", 500)}</p>`;
  return h`<pre class="start"><b>${response.status} ${plain(response.statusText, 200)}</b></pre>${headers(response.headers)}${body(response.body, response.bodyBytes, pointer)}${error !== undefined && h`<p class="none">${plain(error, 500)}</p>`}`;
}

const shownHeaders = 30;

function headers(all: RecordedExchange["request"]["headers"]): Markup | undefined {
  if (all.length === 0) return undefined;
  const lines = all
    .slice(0, shownHeaders)
    .map(([name, value]) => h`<i>${plain(name, 100)}:</i> ${plain(value, 300)}\n`);
  return h`<details class="headers"><summary>${plural(all.length, "header line")}</summary><pre>${lines}</pre></details>`;
}

function body(text: string, bytes: number, pointer?: string): Markup | undefined {
  if (text === "")
    return bytes > 0 ? h`<p class="none">${bytes} bytes, not recorded</p>` : undefined;
  const cut = text.slice(0, longestBody);
  const lines = cut.length === text.length ? jsonLines(text) : undefined;
  const shown = lines
    ? lines.map(({ text: line, pointer: at }) =>
        pointer && at === pointer ? markedLine(line) : h`${line}\n`,
      )
    : cut;
  const left = text.length - cut.length;
  const rest = left > 0 && h`\n<i>… ${left} more characters, ${bytes} bytes in all</i>`;
  return h`<pre class="message" tabindex="0">${shown}${rest}</pre>`;
}

function markedLine(line: string): Markup {
  const start = line.search(/\S/);
  return h`${line.slice(0, start)}<mark>${line.slice(start)}</mark>\n`;
}

/**
 * A line of an indented JSON text, and the JSON pointer (RFC 6901) of the value that begins in this
 * line.
 */
interface JsonLine {
  readonly text: string;
  readonly pointer?: string;
}

/**
 * The lines of an indented JSON text, each with its pointer. Numbers, escapes and duplicate members
 * stay as they were sent, which a parser would change. Undefined if the text is not JSON.
 */
export function jsonLines(text: string): readonly JsonLine[] | undefined {
  if (parsedJson(text) === undefined) return undefined;
  const all = text.match(tokens) ?? [];
  const lines: JsonLine[] = [];
  let at = 0;
  const next = (): string => {
    at += 1;
    return all[at - 1] ?? "";
  };
  const put = (depth: number, line: string, pointer?: string): void => {
    const comma = all[at] === "," ? next() : "";
    lines.push({ text: `${"  ".repeat(depth)}${line}${comma}`, ...defined({ pointer }) });
  };
  const value = (depth: number, head: string, pointer: string): void => {
    const open = next();
    const close = closing.get(open);
    if (close === undefined) return put(depth, head + open, pointer);
    if (all[at] === close) return put(depth, `${head}${open}${next()}`, pointer);
    put(depth, head + open, pointer);
    for (let index = 0; all[at] !== close; index++) {
      const key = open === "{" ? all[at] : undefined;
      if (key !== undefined) at += 2;
      value(
        depth + 1,
        key === undefined ? "" : `${key}: `,
        `${pointer}/${key === undefined ? index : step(key)}`,
      );
    }
    put(depth, next());
  };
  value(0, "", "");
  return lines;
}

const closing: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["[", "]"],
]);

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

function step(key: string): string {
  return String(JSON.parse(key)).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A text in three parts, of which the middle one differs from another text. */
export interface Difference {
  readonly before: string;
  readonly differing: string;
  readonly after: string;
}

/**
 * Compares two texts in whole words and numbers. What differs is one part of each text, so that it
 * fits on a line. `differing` is empty if the texts begin and end differently, unless each text is
 * a single word.
 */
export function differences(one: string, other: string): readonly [Difference, Difference] {
  const a = tokensOf(one);
  const b = tokensOf(other);
  const start = shared(a, b);
  const end = shared(a.slice(start).reverse(), b.slice(start).reverse());
  const isMarked = start + end > 0 || (a.length === 1 && b.length === 1);
  const parts = (text: readonly string[]): Difference => {
    const [from, to] = isMarked ? [start, text.length - end] : [0, 0];
    const textOf = (first: number, last?: number) => text.slice(first, last).join("");
    return { before: textOf(0, from), differing: textOf(from, to), after: textOf(to) };
  };
  return [parts(a), parts(b)];
}

function tokensOf(text: string): readonly string[] {
  return text.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[\p{L}\p{N}_]+|\s+|./gisu) ?? [];
}

/** How many tokens are the same at the beginning of both lists. */
function shared(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((token, at) => token !== b[at]);
  return differs < 0 ? a.length : differs;
}
