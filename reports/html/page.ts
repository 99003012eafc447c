import type { Run } from "../../model/run.ts";
import { isRequirementId } from "../../spec/catalogue.ts";
import { atMost } from "../wording.ts";
import { pageOf, type Page } from "../page.ts";
import type { Renderer } from "../saving.ts";
import { h, trusted, type Markup } from "./markup.ts";
import { bar, sectionsOf } from "./sections.ts";
import { hashOf, style } from "./style.ts";

/**
 * The HTML report in one file. It loads nothing from elsewhere, allows only its own scripts and
 * styles, needs none of them, and can be printed.
 */
export const html: Renderer = { file: "report.html", render: pageText };

function pageText(run: Run): string {
  const page = pageOf(run);
  const generator = `${run.tool.name} ${run.tool.version}`;
  const sections = sectionsOf(page).filter(({ content }) => content !== false);
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const { markup } = h`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${generator}">
<title>${`${page.outcome}: ${page.target}`} – fxconform</title>
<style>${trusted(style)}</style>
</head>
<body>
${bar(sections)}
<main>
${top(page)}${sections.map(({ content }) => content)}</main>
<footer><p>Made by ${generator} from report.json, which also contains what is left out here.</p></footer>
<script>${trusted(script)}</script>
</body>
</html>
`;
  return markup;
}

function top(page: Page): Markup {
  const { outcome, sign, summary, since, target, profile, headline } = page;
  return h`<section class="top ${outcome}" aria-labelledby="outcome">
<p class="seal sign" aria-hidden="true">${sign}</p>
<div>
<h1 id="outcome">${summary.replace(/\.$/, "")}</h1>
${gate(page)}${since !== "" && h`<p class="since">${since}</p>`}
<p class="where"><span class="mono">${target}</span> <span>${profile}</span> <span>${headline}</span> <a href="#run">This run</a></p>
</div>
</section>
`;
}

const shown = 12;

function gate({ gate: { passes, line, reasons, tolerated, narrowed } }: Page): Markup {
  return h`<p class="gate ${passes ? "pass" : "fail"}"><b>${withLinks(line)}</b></p>
${list("", reasons)}${list("Tolerated", tolerated)}${list("Narrowed", narrowed)}`;
}

function list(title: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  const items = texts.map((text) => h`<li>${withLinks(text)}</li>`);
  return h`${title !== "" && h`<p class="gate">${title}</p>`}<ul class="reasons">${atMost(shown, items, (left) => h`<li>and ${left} more</li>`)}</ul>
`;
}

/** A text in which the ids of requirements are links to their place on the page. */
function withLinks(text: string): readonly (Markup | string)[] {
  return text
    .split(/\b([A-Z]+-\d\d)\b/)
    .map((part) => (isRequirementId(part) ? h`<a href="#${part}">${part}</a>` : part));
}

/** The script of the page opens the folds around what its address names. */
const script = `"use strict";
(() => {
  const reveal = () => {
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {}
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    setTimeout(() => target.scrollIntoView());
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
`;
