import { frequencyText } from "../evidence.ts";
import { operationTitle } from "../../spec/operations.ts";
import { plain } from "../sanitize.ts";
import type { Finding, RecordedExchange } from "../../model/run.ts";
import { differences, type Difference } from "./difference.ts";
import { h, type Markup } from "./markup.ts";
import { messages } from "./message.ts";

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
