import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { durationText } from "../gate.ts";
import { countsOf, pageOf, type Page } from "../page.ts";
import { plain } from "../sanitize.ts";
import { h, type Markup } from "./markup.ts";
import { pageText } from "./page.ts";

/** What the live page (`--ui`) shows: a run, and a line about what is going on. */
export interface LiveState {
  /** The run so far if everything is being checked, and otherwise the last run. */
  readonly run: Run;
  /** What is being checked: everything, or these requirements. Absent if no run is in progress. */
  readonly checking?: "everything" | readonly RequirementId[] | undefined;
  /** The requirements that were checked again after the last full run. */
  readonly again: readonly RequirementId[];
  readonly progress?: LiveProgress | undefined;
}

/** How far a run is: which part of it is done, from 0 to 1, and how many milliseconds are left. */
export interface LiveProgress {
  readonly done: number;
  readonly left: number | undefined;
  readonly requests: number;
  /** What the run waits for. Present only during a long wait. */
  readonly waiting?: string | undefined;
}

/** The page of a state, and its status line, which changes more often. */
export function livePage(state: LiveState): { readonly page: string; readonly status: string } {
  const page = pageOf(state.run, { isRunning: state.checking === "everything" });
  const title = statusOf(state, page);
  const isRunning = state.checking !== undefined;
  const button = (only: string, text: string) =>
    h`<button type="button" data-only="${only}"${isRunning && h` disabled`}>${text}</button>`;
  const status = h`<div class="live" id="live"><div role="status"><h1 id="status" class="${isRunning ? "running" : state.run.outcome}">${title}</h1></div>${button("failed", "Check failed again")}${button("everything", "Check everything")}${progressBar(state.progress)}</div>
`;
  const foot =
    "This page is live until fxconform stops. The reports on disk are from the last full run.";
  const generator = `${state.run.tool.name} ${state.run.tool.version}`;
  const live = {
    title: "fxconform",
    isRunning: state.checking === "everything",
    status: h`<div class="live" id="live"></div>`,
    style: liveStyle,
    script: liveScript,
  };
  return { page: pageText(page, foot, generator, live), status: status.markup };
}

/** The progress bar. It keeps its space if no run is in progress, so that nothing moves. */
function progressBar(progress: LiveProgress | undefined): Markup {
  if (progress === undefined) return h`<p class="progress"></p>`;
  const { done, left, waiting } = progress;
  const percent = Math.round(100 * Math.min(done, 0.99));
  const time = left === undefined ? "waiting for responses" : timeText(left);
  const text = waiting === undefined ? time : `${time}, ${plain(waiting, 200)}`;
  return h`<p class="progress"><progress max="100" value="${percent}" aria-label="Progress of the run">${percent} %</progress> <span>${text}</span></p>`;
}

function timeText(left: number): string {
  return left < 1000
    ? "less than a second left"
    : `about ${durationText(Math.ceil(left / 1000) * 1000)} left`;
}

function statusOf(
  { checking, again, progress }: LiveState,
  { rows, target, outcome }: Page,
): string {
  const { fail } = countsOf(rows);
  const failing = fail === 0 ? "no failure" : plural(fail, "failed requirement");
  const requests = plural(progress?.requests ?? 0, "request");
  if (checking === "everything") {
    const wanted = rows.filter(({ verdict }) => verdict !== "skip");
    const open = wanted.filter(({ verdict }) => verdict === "pending").length;
    const checked = `${wanted.length - open} of ${plural(wanted.length, "requirement")} checked`;
    return `Checking ${target}: ${requests}, ${checked}, ${failing} so far.`;
  }
  if (checking !== undefined)
    return `Checking ${plural(checking.length, "requirement")} again: ${requests}.`;
  return again.length > 0
    ? `Checked again: ${again.join(", ")}. Now ${failing}. Check everything for a new outcome.`
    : `The run has ended: ${outcome}, ${failing}.`;
}

const liveStyle = `
.live { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; padding: 0.6rem 0 1rem; }
.live div { flex: 1 1 20rem; min-width: 0; }
.live .progress { flex: 1 0 100%; display: flex; gap: 0.75rem; align-items: center; min-height: 1.4rem; color: var(--soft); font-size: 0.875rem; }
.progress progress { flex: 1; height: 0.6rem; accent-color: var(--link); }
.progress span { font-variant-numeric: tabular-nums; }
.live h1 { font-size: 1rem; font-weight: 500; }
.live h1::before { content: ""; display: inline-block; width: 0.6rem; height: 0.6rem; margin-right: 0.6rem; border-radius: 50%; background: var(--ink); }
[data-running="true"] .live h1::before { animation: beat 1.2s ease-in-out infinite; }
[data-running="over"] .live h1::before { background: var(--soft); }
@keyframes beat { 50% { opacity: 0.25; } }
@media (prefers-reduced-motion: reduce) { [data-running="true"] .live h1::before { animation: none; } }
.cell.pending { background: none; color: var(--soft); border: 1px dashed var(--soft); }
button:disabled { cursor: default; color: var(--soft); border-style: dashed; }
.rerun { min-height: 1.6rem; padding: 0 0.5rem; font-size: 0.75rem; color: var(--link); }
.broken .rerun { margin-top: 0.4rem; }
td.id .rerun { display: block; margin-top: 0.2rem; white-space: nowrap; }
@media print { .live, .rerun { display: none; } }
`;

/**
 * The script of the live page. It shows each new page with its folds and focus as the
 * reader left them, and asks fxconform to check requirements again.
 */
const liveScript = `"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

  /** The folds of a page by a name that stays: where they are, their kind, and a number. */
  function foldsOf(page) {
    const folds = new Map();
    for (const fold of all("details", page)) {
      const home = fold.closest("[id], [data-id]");
      let name = (home.id || home.dataset.id) + " " + fold.className;
      while (folds.has(name)) name += "+";
      folds.set(name, fold);
    }
    return folds;
  }

  /** Replaces these parts by those of the new page. The focus stays on its button or card. */
  function replace(selectors, next) {
    const { only } = document.activeElement.dataset;
    const card = document.activeElement.closest("details[id]");
    const focused = only ? '[data-only="' + only + '"]' : card && "#" + card.id + " > summary";
    for (const selector of selectors) document.querySelector(selector).replaceWith(next.querySelector(selector));
    setRunning(root.dataset.running);
    if (focused) document.querySelector(focused)?.focus({ preventScroll: true });
  }

  let waiting;
  function show(text) {
    // Whoever is selecting text sees the new page afterwards.
    waiting = getSelection().isCollapsed ? undefined : text;
    if (waiting !== undefined) return;
    const next = parsed(text);
    const folds = foldsOf(document);
    for (const [name, fold] of foldsOf(next)) fold.open = folds.get(name)?.open ?? fold.open;
    next.getElementById("live").replaceWith(document.getElementById("live"));
    replace(["header", "main"], next);
    dispatchEvent(new Event("fxconform-update"));
  }
  document.addEventListener("selectionchange", () => waiting && show(waiting));

  function setRunning(state) {
    root.dataset.running = state;
    for (const button of all("[data-only]")) button.disabled = state !== "false";
  }
  document.addEventListener("click", async ({ target }) => {
    if (target.dataset.only === undefined) return;
    setRunning("true");
    const response = await fetch("check", { method: "POST", body: target.dataset.only });
    if (!response.ok) setRunning("false");
  });

  const source = new EventSource("pages");
  source.addEventListener("page", ({ data }) => show(JSON.parse(data)));
  source.addEventListener("status", ({ data }) => {
    const { status, isRunning } = JSON.parse(data);
    root.dataset.running = isRunning;
    replace(["#live"], parsed(status));
    document.title = document.getElementById("status").textContent + " – fxconform";
  });
  source.addEventListener("error", () => {
    source.close();
    document.getElementById("status").textContent = "fxconform has stopped. This page shows the last state.";
    setRunning("over");
  });
})();
`;
