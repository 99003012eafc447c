import { frequencyText } from "../failures.ts";
import { operationTitle } from "../../spec/operations.ts";
import { plain } from "../sanitize.ts";
import type { Finding, RecordedExchange } from "../../model/run.ts";
import { differences, type Difference } from "./difference.ts";
import { h, type Markup } from "./markup.ts";
import { durationText } from "../headline.ts";
import { parsedJson } from "../../model/exchange.ts";

/** A finding with all its evidence. `id` is its requirement, if the card shows several. */
export function finding(found: Finding, exchange: RecordedExchange | undefined, open: boolean, id?: string): Markup {
  const [expected, actual] = differences(plain(found.expected, 1500), plain(found.actual, 1500));
  return h`<div class="finding">
<p class="what">${id !== undefined && h`<a href="#${id}">${id}</a> `}${plain(found.message, 600)}</p>
<p class="where">${where(found, exchange)}</p>
<div class="sides"><div class="side expected"><p class="label">Expected</p><pre>${marked(expected)}</pre></div><div class="side actual"><p class="label">Actual</p><pre>${marked(actual)}</pre></div></div>
${exchange && h`<details class="exchange"${open && h` open`}><summary>Request and response</summary>${messages(exchange, found.pointer)}</details>`}
<div class="command"><p class="label">Check again</p><pre class="copy">${plain(found.replay, 3000)}</pre></div>
${found.curl !== "" && h`<div class="command"><p class="label">As curl</p><pre class="copy">${plain(found.curl, 3000)}</pre></div>`}
</div>
`;
}

/** A finding in one line, for those after the first ones. */
export const briefFinding = (found: Finding, id?: string): Markup =>
  h`<li>${id !== undefined && h`<a href="#${id}">${id}</a> `}${plain(found.message, 200).replace(/\.$/, "")}: expected <code>${plain(found.expected, 150)}</code>, found <code>${plain(found.actual, 150)}</code></li>\n`;

const marked = ({ before, differing, after }: Difference): Markup =>
  h`${before}${differing !== "" && h`<mark>${differing}</mark>`}${after}`;

function where(found: Finding, exchange: RecordedExchange | undefined): readonly Markup[] {
  const often = frequencyText(found);
  return [
    ...(found.operation ? [h`<span>${operationTitle(found.operation)}</span> `] : []),
    ...(found.pointer ? [h`<span>at <code>${plain(found.pointer, 200)}</code></span> `] : []),
    ...(often ? [h`<span>${plain(often, 60)}</span> `] : []),
    ...(exchange ? [h`<span>request was ${plain(exchange.intent, 200)}</span> `] : []),
    ...(exchange?.serverIds ?? [])
      .slice(0, 3)
      .map((id) => h`<span>the server’s request id <code class="server-id">${plain(id, 200)}</code></span> `),
  ];
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

/** The line with everything after its indentation marked. */
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
 * The indented lines of a JSON text. It works on tokens, so that numbers, escapes and duplicate members stay as they
 * were sent. Undefined if the text is not JSON.
 */
export function jsonLines(text: string): readonly JsonLine[] | undefined {
  if (parsedJson(text) === undefined) return undefined;
  const lines: JsonLine[] = [];
  const open: Container[] = [];
  let line = "";
  let previous = "";
  let pointer: string | undefined;
  const end = (): void => {
    if (line !== "")
      lines.push({ text: "  ".repeat(open.length) + line, ...(pointer === undefined ? {} : { pointer }) });
    line = "";
    pointer = undefined;
  };
  for (const [token] of text.matchAll(tokens)) {
    const inside = open.at(-1);
    if (token === "}" || token === "]") {
      end();
      open.pop();
      const last = lines.at(-1);
      if (last && previous === opening[token]) lines[lines.length - 1] = { ...last, text: last.text + token };
      else line = token;
    } else if (token === ",") {
      const last = lines.at(-1);
      if (line === "" && last) lines[lines.length - 1] = { ...last, text: `${last.text},` };
      line += line === "" ? "" : token;
      end();
      if (inside) inside.index++;
    } else if (token === ":") {
      line += ": ";
    } else if (inside?.kind === "{" && !line.includes(": ")) {
      inside.key = token;
      line = token;
    } else {
      pointer = pointerOf(open);
      line += token;
      if (token === "{" || token === "[") {
        end();
        open.push({ kind: token, key: "", index: 0 });
      }
    }
    previous = token;
  }
  end();
  return lines;
}

interface Container {
  readonly kind: "{" | "[";
  key: string;
  index: number;
}

const opening = { "}": "{", "]": "[" } as const;

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const pointerOf = (open: readonly Container[]): string =>
  open.map(({ kind, key, index }) => `/${kind === "[" ? index : step(key)}`).join("");

const step = (key: string): string => String(JSON.parse(key)).replaceAll("~", "~0").replaceAll("/", "~1");
