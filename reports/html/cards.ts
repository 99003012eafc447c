import { plural } from "../../model/plural.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { ShownExchange } from "../exchange.ts";
import type { Block, Broken, Shown } from "../page.ts";
import { signs } from "../verdict-symbols.ts";
import { atMost } from "../wording.ts";
import { explanation, h, signMark, type Markup } from "./markup.ts";

/** How many ids of the requirements that a mistake breaks stand in a line. */
const mostIds = 15;

/** The requirements whose id is an anchor on the page already. */
export type Anchors = Set<RequirementId>;

/** Mistakes, each as a line that opens a card. `isFirst`: the first card is open. */
export function cards(blocks: readonly Block[], isFirst: boolean, anchors: Anchors): Markup {
  return h`<div class="cards">
${blocks.map((block, index) => card(block, anchors, isFirst && index === 0))}</div>
`;
}

function card(block: Block, anchors: Anchors, isOpen: boolean): Markup {
  const { id, verdict, level, title, shows, breaks, kinds, remarks } = block;
  const said = remarks !== "" && h`<p class="remarks">${remarks}</p>\n`;
  const [first, ...others] = breaks;
  if (shows === undefined || first === undefined)
    return h`<article class="card cause untested fail"><div class="body">
<h3>${signMark(signs.fail)} ${title}</h3>
${said}${waitingFold(block)}</div></article>
`;
  const more = others.length > 0 && h` <span class="more">and ${others.length} more</span>`;
  // A card that is open from the start folds its evidence, so that the lines of other mistakes are
  // near it.
  return h`<article class="card cause ${verdict}"><details id="${id}"${isOpen && h` open`}>
<summary>${signMark(signs[verdict])} <span class="names"><b>${first.id}</b>${more}</span> <span class="level">${level}</span> <h3>${title}</h3></summary>
<div class="body"${anchor(first.id, anchors)}>
${said}${sides(shows)}
<p class="where">${where(shows)}</p>
${bothShown(shows)}${kinds.length > 0 && h`<p class="where">As well: ${kinds.join(" · ")}</p>\n`}${shows.place && h`<pre class="message">${shows.place.frame.join("\n")}\n</pre>`}<div class="folds">${evidence(shows, !isOpen)}${broken(block, anchors)}${waitingFold(block)}</div></div>
</details></article>
`;
}

/** A command with its label. */
export const commandLine = (label: string, command: string): Markup =>
  h`<div class="command"><p class="label">${label}</p><pre class="copy">${command}</pre></div>`;

/** The requirements that have no verdict because of a mistake, folded. */
function waitingFold({ waiting }: Block): Markup | false {
  return (
    waiting.length > 0 &&
    h`<details class="waiting"><summary>${waiting.length} without a verdict</summary>${idLinks(waiting)}</details>`
  );
}

export function idLinks(ids: readonly RequirementId[]): Markup {
  return h`<p class="ids">${ids.map((id) => h`<a href="#${id}">${id}</a> `)}</p>`;
}

/** The attributes of the first element that stands for a requirement. */
function anchor(id: RequirementId, anchors: Anchors): Markup | undefined {
  if (anchors.has(id)) return undefined;
  anchors.add(id);
  return h` id="${id}" tabindex="-1"`;
}

/** The two responses that show one thing in different ways, side by side. */
function bothShown({ first, exchange }: Shown): Markup | undefined {
  if (first?.response === undefined || exchange?.response === undefined) return undefined;
  return h`<div class="sides"><div><p class="label">Shown first: ${first.request.start}</p>
${message(first.response)}</div><div><p class="label">Shown again: ${exchange.request.start}</p>
${message(exchange.response)}</div></div>
`;
}

function sides({ expected, actual, exchange }: Shown): Markup {
  // The response below shows the body.
  const found = exchange === undefined ? actual : actual.replace(/^(status \d{3}) ".*$/s, "$1");
  const [before, after] = differences(expected, found);
  return h`<div class="sides"><div class="side expected"><p class="label">Expected</p><pre>${marked(before)}</pre></div><div class="side actual"><p class="label">Actual</p><pre>${marked(after)}</pre></div></div>`;
}

function marked({ before, differing, after }: Difference): Markup {
  return h`${before}${differing !== "" && h`<mark>${differing}</mark>`}${after}`;
}

function where({ request, place, seen, serverIds }: Shown): Markup {
  return h`${request !== "" && h`<span>${request}</span> `}${
    place && h`<span>at <code>${place.at}</code></span> `
  }${seen !== "" && h`<span>${seen}</span> `}${serverIds.map(
    (id) => h`<span>the server’s request id <code class="server-id">${id}</code></span> `,
  )}`;
}

/** Request and response, and the commands that check the finding again. */
function evidence({ exchange, replay, curl }: Shown, isOpen: boolean): Markup {
  const title =
    exchange === undefined ? "Check again" : "Request, response, and how to check again";
  return h`<details class="exchange"${isOpen && h` open`}><summary>${title}</summary>${exchange && messages(exchange)}
${commandLine("Check again", replay)}${curl !== "" && commandLine("As curl", curl)}</details>
`;
}

/** The requirements that a mistake breaks, each with what its own finding shows. */
function broken({ breaks, shows }: Block, anchors: Anchors): Markup {
  const names = breaks.map(({ id }) => id as string);
  const title = `Breaks ${atMost(mostIds, names, (left) => `${left} more`).join(", ")}`;
  return h`<details class="breaks"><summary>${title}</summary>${breaks.map((one, index) => requirement(one, anchors, index > 0 && shows))}</details>`;
}

/** `example`: what the card shows. Absent if that is the finding of this requirement. */
function requirement(one: Broken, anchors: Anchors, example: Shown | false | undefined): Markup {
  const { id, level, verdict, statement, facts } = one;
  const title = h`<a href="#${id}">${id}</a> <span class="level">${level}</span> ${statement}`;
  return h`<div class="broken ${verdict}"${anchor(id, anchors)}><p>${title}</p>
${example && h`<p class="brief">${brief(one.shows, example)}</p>`}<p class="source">${facts}</p>${explanation(one)}</div>`;
}

/** How a finding differs from the example. */
function brief({ message, expected, actual }: Shown, example: Shown): Markup {
  return h`${message}: ${expected !== example.expected && h`expected <code>${expected}</code>, `}found <code>${actual}</code>`;
}

/** A request beside its response. Header lines are folded. */
export function messages({ request, response, error, took }: ShownExchange): Markup {
  return h`<div class="sides">
<div><p class="label">Request</p>
${message(request)}</div>
<div><p class="label">Response <span class="took">after ${took}</span></p>
${
  response === undefined
    ? h`<p class="none">No response: ${error}</p>`
    : h`${message(response)}${error !== "" && h`<p class="none">${error}</p>`}`
}</div>
</div>
`;
}

function message({ start, headers, headerCount, body, rest }: ShownExchange["request"]): Markup {
  const lines = headers.map(([name, value]) => h`<i>${name}:</i> ${value}\n`);
  return h`<pre class="start"><b>${start}</b></pre>${headerCount > 0 && h`<details class="headers"><summary>${plural(headerCount, "header line")}</summary><pre>${lines}</pre></details>`}${
    body.length > 0
      ? h`<pre class="message" tabindex="0">${body.map(({ line, isMarked }, index) => h`${index > 0 && "\n"}${isMarked ? markedLine(line) : line}`)}${rest !== "" && h`\n<i>${rest}</i>`}</pre>`
      : rest !== "" && h`<p class="none">${rest}</p>`
  }`;
}

function markedLine(line: string): Markup {
  const start = line.search(/\S/);
  return h`${line.slice(0, start)}<mark>${line.slice(start)}</mark>`;
}

type Difference = ReturnType<typeof differences>[number];

/**
 * Compares two texts in whole words and numbers, and returns each in three parts. What differs is
 * one part of each text, so that it fits on a line. `differing` is empty if the texts begin and end
 * differently, unless each text is a single word.
 */
export function differences(one: string, other: string) {
  const a = tokensOf(one);
  const b = tokensOf(other);
  const start = shared(a, b);
  const end = shared(a.slice(start).reverse(), b.slice(start).reverse());
  const isMarked = start + end > 0 || (a.length === 1 && b.length === 1);
  const parts = (text: readonly string[]) => {
    const [from, to] = isMarked ? [start, text.length - end] : [0, 0];
    const joined = (first: number, last?: number) => text.slice(first, last).join("");
    return { before: joined(0, from), differing: joined(from, to), after: joined(to) };
  };
  return [parts(a), parts(b)] as const;
}

function tokensOf(text: string): readonly string[] {
  return text.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[\p{L}\p{N}_]+|\s+|./gisu) ?? [];
}

/** How many tokens are the same at the beginning of both lists. */
function shared(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((token, at) => token !== b[at]);
  return differs < 0 ? a.length : differs;
}
