import type { Outcome, RequirementResult, Run, Verdict } from "../../model/run.ts";
import type { Renderer } from "../renderer.ts";
import { client } from "./lists/client.ts";
import { created } from "./lists/created.ts";
import { explanations } from "./explanations.ts";
import { failures } from "./failures.ts";
import { filters } from "./filters.ts";
import { latency } from "./latency.ts";
import { map } from "./map.ts";
import { h, trusted, type Markup } from "./markup.ts";
import { observations } from "./observations.ts";
import { pools } from "./lists/pools.ts";
import { requirements } from "./requirements.ts";
import { hashOf, style } from "./style/index.ts";
import { script } from "./script.ts";
import { timeline } from "./timeline.ts";
import { top } from "./top.ts";
import { verdicts } from "../verdict-symbols.ts";
import { noVerdict } from "./no-verdict.ts";

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
  const parts = partsOf(run);
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
<header class="bar"><p class="brand">fxconform</p><nav aria-label="Sections"><ul>${parts.map(({ id, name }) => h`<li><a href="#${id}">${name}</a></li>`)}</ul></nav><button type="button" id="theme" hidden>Theme: auto</button></header>
<main>
${top(run)}${parts.map(({ id, content }) => [content, id === "map" && filters(presentVerdicts(run))])}</main>
<footer><p>Made by ${run.tool.name} ${run.tool.version} from report.json, which also contains what is left out here.</p></footer>
<script>${trusted(script)}</script>
</body>
</html>
`;
}

interface Section {
  readonly id: string;
  readonly name: string;
  readonly content: Markup;
}

/** The sections that this run has something for, in their order. */
const partsOf = (run: Run): readonly Section[] => {
  const shown = new Set<RequirementResult>();
  return [
    { id: "none", name: "No verdict", content: noVerdict(run) },
    { id: "map", name: "Map", content: map(run) },
    { id: "fail", name: "Failures", content: failures(run, "fail", "Failures", shown) },
    { id: "warn", name: "Warnings", content: failures(run, "warn", "Warnings", shown) },
    { id: "client", name: "Client", content: client(run) },
    { id: "observed", name: "Observed", content: observations(run) },
    { id: "latency", name: "Latency", content: latency(run) },
    { id: "timeline", name: "Timeline", content: timeline(run) },
    { id: "all", name: "Requirements", content: requirements(run, shown) },
    { id: "explained", name: "How it is read", content: explanations(run) },
    { id: "pools", name: "Pools", content: pools(run) },
    { id: "created", name: "Created", content: created(run) },
  ].flatMap(({ id, name, content }) => (content ? [{ id, name, content }] : []));
};

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
