import { plural } from "../../../model/plural.ts";
import type { RequirementResult, Run } from "../../../model/run.ts";
import { plain } from "../../sanitize.ts";
import { tally, verdicts } from "../../verdict-symbols.ts";
import { created } from "../lists/created.ts";
import { explanations } from "../explanations.ts";
import { failures } from "../failures.ts";
import { filters } from "../filters.ts";
import { latency } from "../latency.ts";
import { map, type Pending } from "../map.ts";
import { h, trusted, type Markup } from "../markup.ts";
import { noVerdict } from "../no-verdict.ts";
import { observations } from "../observations.ts";
import { requirements } from "../requirements.ts";
import { script } from "../script.ts";
import { share } from "../share.ts";
import { hashOf, style } from "../style/index.ts";
import { timeline } from "../timeline.ts";
import { facts, top } from "../top.ts";
import { liveScript } from "./script.ts";
import { liveStyle } from "./style.ts";

/** What the live page (`--ui`) shows at one moment. */
export interface LiveState {
  readonly run: Run;
  readonly isRunning: boolean;
  /** Requirements that the run in progress has not checked yet. */
  readonly pending: Pending;
  /** Requirements that were checked again after the last full run. */
  readonly again: Pending;
}

/** The pieces of the page in their order. */
const pieceNames = [
  "top",
  "map",
  "fail",
  "warn",
  "none",
  "observed",
  "latency",
  "timeline",
  "all",
  "explained",
  "created",
] as const;

/** HTML by piece. */
export type Pieces = Readonly<Record<(typeof pieceNames)[number], string>>;

/** The page without content, and its Content-Security-Policy. `library` is the source of morphdom. */
export function livePage(library: string): { readonly html: string; readonly policy: string } {
  const scripts = [library, script, liveScript];
  const sheet = `${style}\n${liveStyle}`;
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(" ")}`,
    `style-src ${hashOf(sheet)}`,
    ...["connect-src 'self'", "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join("; ");
  const { markup } = h`<!doctype html>
<html lang="en" data-running="true">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fxconform</title>
<link rel="icon" href="data:,">
<style>${trusted(sheet)}</style>
</head>
<body>
<header class="bar"><p class="brand">fxconform</p><nav aria-label="Sections"><ul>${links.map(([id, name]) => h`<li><a href="#${id}">${name}</a></li>`)}</ul></nav><button type="button" id="theme" hidden>Theme: auto</button></header>
<main>
<div class="live"><p id="status" role="status">Starting…</p><button type="button" data-only="failed" disabled>Check failed again</button><button type="button" data-only="everything" disabled>Check everything</button></div>
${pieceNames.map((name) => h`<div data-piece="${name}"></div>${name === "map" && filters(verdicts)}`)}</main>
<footer><p>This page is live until fxconform stops. The reports on disk are from the last full run.</p></footer>
${scripts.map((text) => h`<script>${trusted(text)}</script>\n`)}</body>
</html>
`;
  return { html: markup, policy };
}

const links = [
  ["map", "Map"],
  ["fail", "Failures"],
  ["latency", "Latency"],
  ["timeline", "Timeline"],
  ["all", "Requirements"],
] as const;

/** How much evidence the live page contains. It is rendered often, so it is less than in the report on disk. */
const bounds = { fullInAll: 60, briefInAll: 120 } as const;

/** The content of the page. */
export function livePieces(state: LiveState): Pieces {
  const { run, pending } = state;
  const checked = { ...run, requirements: run.requirements.filter(({ id }) => !pending.has(id)) };
  const shown = new Set<RequirementResult>();
  const own = {
    top: state.isRunning || state.again.size > 0 ? liveTop(state) : top(run),
    map: map(run, pending),
    fail: failures(checked, "fail", "Failures", shown, bounds),
    warn: failures(checked, "warn", "Warnings", shown, bounds),
    none: noVerdict(state.isRunning ? { ...checked, requirements: [] } : checked),
    observed: observations(run),
    latency: latency(run),
    timeline: timeline(run),
    all: requirements(run, shown, pending),
    explained: explanations(checked),
    created: created(run),
  } satisfies Record<keyof Pieces, Markup | undefined>;
  return Object.fromEntries(pieceNames.map((name) => [name, own[name]?.markup ?? ""])) as Pieces;
}

/** The state in a sentence. */
export function liveStatus({ run, isRunning, pending, again }: LiveState): string {
  const { fail } = tally(run.requirements.filter(({ id }) => !pending.has(id)));
  const failing = fail === 0 ? "no failure" : plural(fail, "failed requirement");
  if (isRunning) return `Checking ${run.target.baseUrl}: ${plural(run.requests, "request")}, ${failing} so far.`;
  return again.size > 0
    ? `${[...again].join(", ")}: checked again. There is ${failing} now.`
    : `The run has ended: ${run.outcome}, ${failing}.`;
}

/** The top of the page while there is no valid outcome: during a run, or after requirements were checked again. */
const liveTop = ({ run, isRunning, pending, again }: LiveState): Markup => {
  const { fail } = tally(run.requirements.filter(({ id }) => !pending.has(id)));
  const title = fail === 0 ? "No failure" : plural(fail, "failed requirement");
  const note = isRunning
    ? `${run.requirements.length - pending.size} of ${run.requirements.length} requirements checked so far.`
    : `${[...again].join(", ")}: checked again after the last full run. Check everything for a new outcome.`;
  return h`<section class="top ${isRunning ? "running" : fail === 0 ? "partial" : "nonconformant"}" aria-labelledby="outcome">
<p class="seal" aria-hidden="true">${isRunning ? "…" : fail === 0 ? "○" : "✗"}</p>
<div>
<h1 id="outcome">${title}${isRunning && " so far"}</h1>
<p class="summary">${plain(note, 600)}</p>
</div>
${share(run, pending)}
${facts(run)}
</section>
`;
};
