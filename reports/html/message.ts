import { durationText } from "../duration.ts";
import { plain } from "../sanitize.ts";
import type { RecordedExchange } from "../../model/run.ts";
import { jsonLines } from "./json-lines.ts";
import { h, type Markup } from "./markup.ts";

/** Maximum length of a body on the page, in characters. report.json contains the rest. */
const longest = 4000;

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
  const cut = text.slice(0, longest);
  const lines = cut.length === text.length ? jsonLines(text) : undefined;
  const shown = lines
    ? lines.map(({ text: line, pointer: at }) => (pointer && at === pointer ? marked(line) : h`${line}\n`))
    : cut;
  const left = text.length - cut.length;
  return h`\n${shown}${left > 0 && h`\n<i>… ${left} more characters, ${bytes} bytes in all</i>`}`;
}

/** The line with everything after its indentation marked. */
const marked = (line: string): Markup => {
  const start = line.search(/\S/);
  return h`${line.slice(0, start)}<mark>${line.slice(start)}</mark>\n`;
};
