import type { Outcome, Run, Verdict } from "../../model/run.ts";
import type { Renderer } from "../saving.ts";
import { verdicts } from "../verdict-symbols.ts";
import { filters, h, trusted, type Markup } from "./markup.ts";
import { script } from "./script.ts";
import { bar, sectionsOf } from "./sections.ts";
import { hashOf, style } from "./style.ts";
import { top } from "./top.ts";

const presentVerdicts = (run: Run): readonly Verdict[] =>
  verdicts.filter((verdict) => run.requirements.some((row) => row.verdict === verdict));

/** The Content-Security-Policy: the page loads nothing, and only our own script and style apply. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The HTML report in one file: it needs no network and no JavaScript, and can be printed. */
export const html: Renderer = { file: "report.html", render: (run) => page(run).markup };

function page(run: Run): Markup {
  const sections = sectionsOf({ run, pending: new Set(), isRunning: false }).filter(
    ({ content }) => content !== undefined,
  );
  return h`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${run.tool.name} ${run.tool.version}">
<title>${run.outcome}: ${run.target.baseUrl} – fxconform</title>
<link rel="icon" href="${icon(run.outcome)}">
<style>${trusted(style)}</style>
</head>
<body>
${bar(sections)}
<main>
${top(run)}${sections.map(({ id, content }) => [content, id === "map" && filters(presentVerdicts(run))])}</main>
<footer><p>Made by ${run.tool.name} ${run.tool.version} from report.json, which also contains what is left out here.</p></footer>
<script>${trusted(script)}</script>
</body>
</html>
`;
}

const colours = {
  conformant: "2e7d4f",
  nonconformant: "b3362f",
  partial: "4b5fa8",
  inconclusive: "4b5fa8",
  interrupted: "8a6100",
  error: "8a6100",
} as const satisfies Record<Outcome, string>;

const icon = (outcome: Outcome): string =>
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%23${colours[outcome]}'/%3E%3C/svg%3E`;
