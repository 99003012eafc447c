import { plural } from "../../../model/plural.ts";
import type { Run } from "../../../model/run.ts";
import { plain } from "../../sanitize.ts";
import { tally, verdicts } from "../../verdict-symbols.ts";
import { filters, h, trusted, type Markup } from "../markup.ts";
import { type Pending, bar, sectionLinks, sectionsOf, type SectionId } from "../sections.ts";
import { script } from "../script.ts";
import { share, top } from "../page.ts";
import { hashOf, style } from "../style.ts";

/** What the live page (`--ui`) shows at one moment. */
export interface LiveState {
  readonly run: Run;
  readonly isRunning: boolean;
  readonly pending: Pending;
  /** Requirements that were checked again after the last full run. */
  readonly again: Pending;
}

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
${bar(sectionLinks.filter(({ id }) => linked.has(id)))}
<main>
<div class="live"><p id="status" role="status">Starting…</p><button type="button" data-only="failed" disabled>Check failed again</button><button type="button" data-only="everything" disabled>Check everything</button></div>
<div data-piece="top"></div>${sectionLinks.map(({ id }) => h`<div data-piece="${id}"></div>${id === "map" && filters(verdicts)}`)}</main>
<footer><p>This page is live until fxconform stops. The reports on disk are from the last full run.</p></footer>
${scripts.map((text) => h`<script>${trusted(text)}</script>\n`)}</body>
</html>
`;
  return { html: markup, policy };
}

const linked: ReadonlySet<SectionId> = new Set(["map", "fail", "latency", "all"]);

/** The parts of the page that are updated one by one, as HTML. */
export function livePieces(state: LiveState): Readonly<Record<string, string>> {
  const { run, isRunning, pending, again } = state;
  const pieces = [
    { id: "top", content: isRunning || again.size > 0 ? liveTop(state) : top(run) },
    ...sectionsOf({ run, isRunning, pending }),
  ];
  return Object.fromEntries(pieces.map(({ id, content }) => [id, content?.markup ?? ""]));
}

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
</section>
`;
};

const liveStyle = `
.live { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; padding: 0.6rem 0 1rem; }
.live p { flex: 1 1 20rem; min-width: 0; font-weight: 500; overflow-wrap: anywhere; }
.live p::before { content: ""; display: inline-block; width: 0.6rem; height: 0.6rem; margin-right: 0.6rem; border-radius: 50%; background: var(--good); }
[data-running="true"] .live p::before { background: var(--link); animation: beat 1.2s ease-in-out infinite; }
[data-running="over"] .live p::before { background: var(--soft); }
@keyframes beat { 50% { opacity: 0.25; } }
@media (prefers-reduced-motion: reduce) { [data-running="true"] .live p::before { animation: none; } }
.cell.pending { background: none; color: var(--soft); border: 1px dashed var(--soft); }
button:disabled { cursor: default; color: var(--soft); border-style: dashed; }
.rerun { min-height: 1.6rem; padding: 0 0.5rem; font-size: 0.75rem; color: var(--link); }
.broken .rerun { margin-top: 0.4rem; }
td.id .rerun { display: block; margin-top: 0.2rem; white-space: nowrap; }
[data-piece="all"] { contain: content; }
@media print { .live, .rerun { display: none; } }
`;

/** The script of the live page: fetches the pieces that changed, replaces them, and requests checks of requirements. */
export const liveScript = `"use strict";
(() => {
  const status = document.getElementById("status");
  const isKept = (node) => node.nodeType === 1 && (node.classList.contains("copier") || node.classList.contains("rerun"));
  const options = {
    childrenOnly: true,
    onBeforeElUpdated(from, to) {
      if (from.isEqualNode(to)) return false;
      if (from.tagName === "DETAILS" && from.open) to.open = true;
      if (from.classList.contains("out")) to.classList.add("out");
      if (from.tagName !== "svg") return true;
      from.replaceWith(to.cloneNode(true));
      return false;
    },
    onBeforeNodeDiscarded: (node) => !isKept(node),
  };
  const rest = () => new Promise((resolve) => setTimeout(resolve));

  function put(name, html) {
    const place = document.querySelector('[data-piece="' + name + '"]');
    const next = place.cloneNode(false);
    next.innerHTML = html;
    morphdom(place, next, options);
  }

  let isRunning = true;
  async function check(only) {
    setRunning(true);
    const response = await fetch("check", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ only }),
    });
    if (!response.ok) setRunning(false);
  }
  function setRunning(now) {
    isRunning = now;
    document.documentElement.dataset.running = now;
    for (const button of document.querySelectorAll("button.rerun, button[data-only]")) button.disabled = now;
  }
  for (const button of document.querySelectorAll("button[data-only]"))
    button.addEventListener("click", () => check(button.dataset.only));

  function addButtons() {
    for (const place of document.querySelectorAll(".broken[data-id], tr[data-id] > td.id")) {
      if (place.querySelector(".rerun")) continue;
      const id = place.dataset.id ?? place.parentElement.dataset.id;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "rerun";
      button.textContent = "Check again";
      button.disabled = isRunning;
      button.setAttribute("aria-label", "Check again: " + id);
      button.addEventListener("click", () => check([id]));
      place.append(button);
    }
  }

  async function show({ status: text, isRunning, pieces }) {
    for (const [name, html] of pieces) {
      put(name, html);
      await rest();
    }
    if (status.textContent !== text) status.textContent = text;
    document.title = text + " – fxconform";
    addButtons();
    setRunning(isRunning);
    await rest();
    dispatchEvent(new Event("fxconform-update"));
  }
  const source = new EventSource("pieces");
  let shown = Promise.resolve();
  source.addEventListener("message", ({ data }) => (shown = shown.then(() => show(JSON.parse(data)))));
  source.addEventListener("error", () => {
    source.close();
    status.textContent = "fxconform has stopped. This page shows the last state.";
    setRunning(true);
    document.documentElement.dataset.running = "over";
  });
})();
`;
