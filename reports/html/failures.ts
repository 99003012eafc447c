import { plural } from "../../model/plural.ts";
import type { RecordedExchange, RequirementResult, Run, Finding } from "../../model/run.ts";
import { firstOfEach } from "../../model/conclusion/causes.ts";
import { failuresOf, type Failure, frequencyText } from "../failures.ts";
import { documentPlaceText, frameLines } from "../document-place.ts";
import { plain, plainCommand } from "../sanitize.ts";
import { signs } from "../verdict-symbols.ts";
import { explanation, h, type Markup } from "./markup.ts";
import { operationTitle } from "../../spec/operations.ts";
import { durationText } from "../gate.ts";
import { parsedJson } from "../../model/exchange.ts";
import { defined } from "../../model/defined.ts";

/** How much evidence a page contains, so that it opens quickly. report.json contains the rest. */
const bounds = {
  /** Findings with all their evidence: for each failure, one for each of its requirements at least, and on the whole page. */
  full: 3,
  fullInAll: 300,
  /** Findings of a failure in one line. */
  brief: 12,
  /** Findings whose request and response are unfolded at first. */
  open: 3,
} as const;

interface Left {
  full: number;
  open: number;
  /** Requirements whose id is already an anchor on the page. */
  readonly shown: Set<RequirementResult>;
}

/** Each failure has one finding in full and the rest folded. Adds requirements with their anchor here to `shown`. */
export function failures(run: Run, verdict: "fail" | "warn", title: string, shown: Set<RequirementResult>) {
  const all = failuresOf(run, verdict);
  if (all.length === 0) return undefined;
  const left: Left = { full: bounds.fullInAll, open: bounds.open, shown };
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  const rows = run.requirements.filter((row) => row.verdict === verdict).length;
  const withCurl = verdict === "fail" && run.tokenCommand !== undefined;
  return h`<section id="${verdict}" aria-labelledby="${verdict}-title">
<h2 id="${verdict}-title">${title} <span class="of">${rows === all.length ? rows : `${plural(rows, "requirement")}, ${plural(all.length, "cause")}`}</span></h2>
${all.map((each) => card(each, verdict, exchanges, left))}
${withCurl && h`<details class="token"><summary>The token that the curl commands use</summary><div class="command"><pre class="copy">${plain(run.tokenCommand ?? "", 2000)}</pre></div></details>\n`}<p class="nothing" hidden>Nothing here matches the filter.</p>
</section>
`;
}

function card(
  { cause, rows, members: all }: Failure,
  verdict: "fail" | "warn",
  exchanges: ReadonlyMap<number, RecordedExchange>,
  left: Left,
): Markup {
  // For each requirement of a cause, what was sent and what came.
  const first = firstOfEach(all);
  const members = [...first, ...all.filter((member) => !first.includes(member))];
  const full = members.slice(0, Math.min(Math.max(bounds.full, first.length), left.full));
  const brief = members.slice(full.length, full.length + bounds.brief);
  const more = members.length - full.length - brief.length;
  left.full -= full.length;
  const shown = full.map(({ finding: found, row }, index) =>
    finding(found, exchanges.get(found.exchange ?? -1), index === 0 && left.open-- > 0, row.id),
  );
  const [example, ...others] = shown;
  const rest = h`${others}${brief.length > 0 && h`<ul class="brief">${brief.map(({ finding: found, row }) => briefFinding(found, row.id))}</ul>`}${more > 0 && h`<p class="more">and ${plural(more, "more finding")}, in report.json</p>`}`;
  const folded = members.length - 1;
  const [main] = rows;
  // The first requirement of a cause leads to the card, the others to their place below the example.
  const anchor = main === undefined ? h`` : anchorOf(main, left);
  const broken = rows.map((row) => requirement(row, left));
  const ids = h`${rows.map(({ id }) => h` <a href="#${id}">${id}</a>`)}`;
  const head = h`<h3><span class="sign" aria-hidden="true">${signs[verdict]}</span> ${plain(cause.text, 400)}</h3><p class="source">${plural(rows.length, "requirement")}:${ids}</p>`;
  return h`<article class="card cause ${verdict}"${anchor}>
<header>${head}</header>
${example}<div class="breaks">${broken}</div>${folded > 0 && h`<details class="rest"><summary>${plural(folded, "more finding")} with this cause</summary>${rest}</details>`}
</article>
`;
}

/** The anchor of a requirement, only where the page shows it first. */
function anchorOf(row: RequirementResult, { shown }: Left): Markup {
  const anchor = shown.has(row) ? h`` : h` id="${row.id}" tabindex="-1"`;
  shown.add(row);
  return anchor;
}

function requirement(row: RequirementResult, left: Left): Markup {
  const anchor = anchorOf(row, left);
  const title = h`<a href="#${row.id}">${row.id}</a> <span class="level">${row.level}</span> ${row.statement}`;
  return h`<div class="broken ${row.verdict}"${anchor} data-id="${row.id}"><p>${title}</p>
<p class="source">${row.source} · judged ${row.asked === 1 ? "once" : `${row.asked} times`} · ${plural(row.findings.length, "finding")}</p>${explanation(row)}</div>`;
}

/** A finding with all its evidence. `id` is its requirement, if the card shows several. */
export function finding(found: Finding, exchange: RecordedExchange | undefined, open: boolean, id?: string): Markup {
  const [expected, actual] = differences(plain(found.expected, 1500), plain(found.actual, 1500));
  const curl = plainCommand(found.curl, 3000);
  return h`<div class="finding">
<p class="what">${id !== undefined && h`<a href="#${id}">${id}</a> `}${plain(found.message, 600)}</p>
<p class="where">${where(found, exchange)}</p>
${found.document && h`<pre class="message">${frameLines(found.document).map((line) => h`${plain(line, 200)}\n`)}</pre>`}<div class="sides"><div class="side expected"><p class="label">Expected</p><pre>${marked(expected)}</pre></div><div class="side actual"><p class="label">Actual</p><pre>${marked(actual)}</pre></div></div>
${exchange && h`<details class="exchange"${open && h` open`}><summary>Request and response</summary>${messages(exchange, found.pointer)}</details>`}
<div class="command"><p class="label">Check again</p><pre class="copy">${plain(found.replay, 3000)}</pre></div>
${curl !== "" && h`<div class="command"><p class="label">As curl</p><pre class="copy">${curl}</pre></div>`}
</div>
`;
}

export const briefFinding = (found: Finding, id?: string): Markup =>
  h`<li>${id !== undefined && h`<a href="#${id}">${id}</a> `}${plain(found.message, 200).replace(/\.$/, "")}: expected <code>${plain(found.expected, 150)}</code>, found <code>${plain(found.actual, 150)}</code></li>\n`;

const marked = ({ before, differing, after }: Difference): Markup =>
  h`${before}${differing !== "" && h`<mark>${differing}</mark>`}${after}`;

function where(found: Finding, exchange: RecordedExchange | undefined): Markup {
  const often = frequencyText(found);
  return h`${found.operation && h`<span>${operationTitle(found.operation)}</span> `}${
    found.pointer && h`<span>at <code>${plain(found.pointer, 200)}</code></span> `
  }${
    found.document && h`<span>at <code>${plain(documentPlaceText(found.document), 400)}</code></span> `
  }${often && h`<span>${plain(often, 60)}</span> `}${
    exchange && h`<span>request was ${plain(exchange.intent, 200)}</span> `
  }${(exchange?.serverIds ?? [])
    .slice(0, 3)
    .map((id) => h`<span>the server’s request id <code class="server-id">${plain(id, 200)}</code></span> `)}`;
}

/** Maximum length of a body on the page, in characters. report.json contains the rest. */
const longestHeader = 4000;

/** A request beside its response. The line of the response body at `pointer` is marked. */
export const messages = (exchange: RecordedExchange, pointer?: string): Markup => h`<div class="sides">
<div><p class="label">Request</p>
<pre class="message" tabindex="0"><b>${exchange.request.method} ${plain(exchange.request.url, 500)}</b>
${headers(exchange.request.headers)}${body(exchange.request.body ?? "", exchange.request.bodyBytes)}</pre></div>
<div><p class="label">Response <span class="took">after ${durationText(exchange.took)}</span></p>
${responseOf(exchange, pointer)}</div>
</div>
`;

function responseOf({ response, error }: RecordedExchange, pointer?: string): Markup {
  if (!response) return h`<p class="none">No response: ${plain(error ?? "no reason was recorded", 500)}</p>`;
  return h`<pre class="message" tabindex="0"><b>${response.status} ${plain(response.statusText, 200)}</b>
${headers(response.headers)}${body(response.body, response.bodyBytes, pointer)}</pre>${error !== undefined && h`<p class="none">${plain(error, 500)}</p>`}`;
}

const shownHeaders = 30;

const headers = (all: RecordedExchange["request"]["headers"]): readonly Markup[] =>
  all.slice(0, shownHeaders).map(([name, value]) => h`<i>${plain(name, 100)}:</i> ${plain(value, 300)}\n`);

function body(text: string, bytes: number, pointer?: string): Markup | undefined {
  if (text === "") return bytes > 0 ? h`\n<i>${bytes} bytes, not recorded</i>` : undefined;
  const cut = text.slice(0, longestHeader);
  const lines = cut.length === text.length ? jsonLines(text) : undefined;
  const shown = lines
    ? lines.map(({ text: line, pointer: at }) => (pointer && at === pointer ? markedLine(line) : h`${line}\n`))
    : cut;
  const left = text.length - cut.length;
  return h`\n${shown}${left > 0 && h`\n<i>… ${left} more characters, ${bytes} bytes in all</i>`}`;
}

const markedLine = (line: string): Markup => {
  const start = line.search(/\S/);
  return h`${line.slice(0, start)}<mark>${line.slice(start)}</mark>\n`;
};

/** A line of an indented JSON text, and the JSON pointer (RFC 6901) of the value that starts in it. */
interface JsonLine {
  readonly text: string;
  readonly pointer?: string;
}

/**
 * The lines of an indented JSON text; numbers, escapes and duplicates stay as sent, which a parser would change, and each
 * line knows its pointer. Undefined if it is not JSON.
 */
export function jsonLines(text: string): readonly JsonLine[] | undefined {
  if (parsedJson(text) === undefined) return undefined;
  const all = text.match(tokens) ?? [];
  const lines: JsonLine[] = [];
  let at = 0;
  const put = (depth: number, line: string, pointer?: string): void => {
    const comma = all[at] === "," ? all[at++] : "";
    lines.push({ text: `${"  ".repeat(depth)}${line}${comma}`, ...defined({ pointer }) });
  };
  const value = (depth: number, head: string, pointer: string): void => {
    const open = all[at++] ?? "";
    const close = closing.get(open);
    if (close === undefined) return put(depth, head + open, pointer);
    if (all[at] === close) return put(depth, `${head}${open}${all[at++]}`, pointer);
    put(depth, head + open, pointer);
    for (let index = 0; all[at] !== close; index++) {
      const key = open === "{" ? all[at] : undefined;
      if (key !== undefined) at += 2;
      value(depth + 1, key === undefined ? "" : `${key}: `, `${pointer}/${key === undefined ? index : step(key)}`);
    }
    put(depth, all[at++] ?? "");
  };
  value(0, "", "");
  return lines;
}

const closing: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["[", "]"],
]);

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const step = (key: string): string => String(JSON.parse(key)).replaceAll("~", "~0").replaceAll("/", "~1");

/** A text in three parts. The middle one differs from another text. */
export interface Difference {
  readonly before: string;
  readonly differing: string;
  readonly after: string;
}

/** In whole words and numbers, as one part of each text: what a line shows. `differing` is empty if the texts begin and end differently, unless each is one word. */
export function differences(one: string, other: string): readonly [Difference, Difference] {
  const [a, b] = [tokensOf(one), tokensOf(other)];
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

const tokensOf = (text: string): readonly string[] =>
  text.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[\p{L}\p{N}_]+|\s+|./gisu) ?? [];

/** How many tokens are the same at the beginning. */
const shared = (a: readonly string[], b: readonly string[]): number => {
  const differs = a.findIndex((token, at) => token !== b[at]);
  return differs < 0 ? a.length : differs;
};
