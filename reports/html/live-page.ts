import { plural } from "../../model/plural.ts";
import { tally, verdicts } from "../verdict-symbols.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Run } from "../../model/run.ts";
import { durationText } from "../gate.ts";
import { plain } from "../sanitize.ts";
import { h, type Markup } from "./markup.ts";
import { pageText, top } from "./page.ts";
import { script } from "./script.ts";
import type { Pending, View } from "./sections.ts";
import { style } from "./style.ts";

/** What the live page (`--ui`) shows at one moment. */
export interface LiveState extends View {
  /** Requirements that were checked again after the last full run. */
  readonly again: Pending;
  /** The requirements of the run in progress, if it does not check everything. */
  readonly part?: readonly RequirementId[] | undefined;
  /** The last full run. Absent until the first one has ended. */
  readonly whole?: Run | undefined;
  /**
   * How far the run in progress is: which part of it is done, from 0 to 1, and how many
   * milliseconds are left, if that is known.
   */
  readonly progress?: LiveProgress | undefined;
}

export interface LiveProgress {
  readonly done: number;
  readonly left: number | undefined;
  /** What the run waits for. Present only during a long wait. */
  readonly waiting?: string | undefined;
}

/**
 * The HTML of the live page: the report of the run so far, with buttons that check requirements
 * again. `library` is the JavaScript text of morphdom.
 */
export function livePage(state: LiveState, library: string): string {
  const { run, isRunning, pending, before, checking, whole, progress } = state;
  // A run of everything begins a new page. While only some requirements are checked again, the rest
  // of the page stays.
  const isNew = isRunning && checking === undefined;
  const status = statusOf(state);
  const button = (only: string, text: string) =>
    h`<button type="button" data-only="${only}"${isRunning && h` disabled`}>${text}</button>`;
  return pageText({
    run,
    isRunning,
    pending,
    verdicts,
    isLive: true,
    ...(isNew ? {} : { before, checking }),
    title: status,
    head: h`<div class="live"><div role="status"><h1 id="status" class="${signOf(state)}">${status}</h1></div>${button("failed", "Check failed again")}${button("everything", "Check everything")}${progressBar(progress)}</div>
${!isNew && whole !== undefined && top(whole)}`,
    foot: "This page is live until fxconform stops. The reports on disk are from the last full run.",
    sheet: `${style}\n${liveStyle}`,
    scripts: [library, script, liveScript],
  });
}

/**
 * The progress bar. If no run is in progress, it is empty but keeps its space, so that nothing on
 * the page moves.
 */
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

/**
 * The CSS class that colours the status: `running` during a run, `fail` or `partial` after
 * requirements were checked again, and otherwise the outcome.
 */
function signOf({ run, isRunning, again }: LiveState): string {
  if (isRunning) return "running";
  if (again.size === 0) return run.outcome;
  return run.requirements.some(({ verdict }) => verdict === "fail") ? "fail" : "partial";
}

function statusOf({ run, isRunning, pending, checking, again, part }: LiveState): string {
  const { fail } = tally(run.requirements.filter(({ id }) => !pending.has(id)));
  const failing = fail === 0 ? "no failure" : plural(fail, "failed requirement");
  if (isRunning) {
    const wanted =
      part?.length ?? run.requirements.filter(({ verdict }) => verdict !== "skip").length;
    const open = checking?.size ?? pending.size;
    const checked = `${wanted - open} of ${plural(wanted, "requirement")} checked`;
    if (part !== undefined) return `Checking again: ${checked}, ${failing}.`;
    return `Checking ${run.target.baseUrl}: ${plural(run.requests, "request")}, ${checked}, ${failing} so far.`;
  }
  return again.size > 0
    ? `Checked again: ${[...again].join(", ")}. Now ${failing}. Check everything for a new outcome.`
    : `The run has ended: ${run.outcome}, ${failing}.`;
}

const liveStyle = `
.live { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; padding: 0.6rem 0 1rem; }
.live div { flex: 1 1 20rem; min-width: 0; }
.live .progress { flex: 1 0 100%; display: flex; gap: 0.75rem; align-items: center; min-height: 1.4rem; color: var(--soft); font-size: 0.875rem; }
.progress progress { flex: 1; height: 0.6rem; accent-color: var(--link); }
.progress span { font-variant-numeric: tabular-nums; }
.mended p { display: grid; grid-template-columns: 1.1rem 11.5rem 4.2rem minmax(0, 1fr) 1rem; gap: 0 0.6rem; padding: 0 1rem; line-height: 1.4; color: var(--soft); }
.checking .level { color: var(--link); white-space: nowrap; overflow: visible; }
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
 * The script of the live page. It puts each new state into the page, and asks fxconform to check
 * requirements again.
 */
const liveScript = `"use strict";
(() => {
  const root = document.documentElement;
  const isKept = (node) => node.nodeType === 1 && (node.classList.contains("copier") || node.classList.contains("rerun"));
  // A fold stays as the reader left it. A card that nobody touched follows the run.
  const chosen = new WeakSet();
  document.addEventListener("click", ({ target }) => {
    const title = target.closest("summary");
    if (title) chosen.add(title.parentElement);
  });
  function isOpen(from, to) {
    if (chosen.has(from)) return from.open;
    const isKeptOpen = from.open && (from.id === "" || from.querySelector(":target"));
    return to.open || !!isKeptOpen;
  }
  const options = {
    onBeforeElUpdated(from, to) {
      if (from.id === "filters" || from.isEqualNode(to)) return false;
      if (from.tagName === "DETAILS") to.open = isOpen(from, to);
      if (from.classList.contains("out")) to.classList.add("out");
      if (from.tagName !== "svg") return true;
      from.replaceWith(to.cloneNode(true));
      return false;
    },
    onBeforeNodeDiscarded: (node) => !isKept(node),
  };

  function setRunning(state) {
    root.dataset.running = state;
    for (const button of document.querySelectorAll("[data-only]")) button.disabled = state !== "false";
  }
  document.addEventListener("click", async ({ target }) => {
    if (target.dataset.only === undefined) return;
    setRunning("true");
    const response = await fetch("check", { method: "POST", body: target.dataset.only });
    if (!response.ok) setRunning("false");
  });

  function addButtons() {
    for (const place of document.querySelectorAll(".where[data-again], .broken[data-id], tr[data-id] > td.id")) {
      if (place.querySelector(".rerun")) continue;
      const id = place.dataset.again ?? place.dataset.id ?? place.parentElement.dataset.id;
      // The example of a card already has the button.
      if (place.matches(".broken") && place.closest(".card").querySelector(".where").dataset.again === id) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "rerun";
      button.textContent = "Check again";
      button.dataset.only = id;
      button.setAttribute("aria-label", "Check again: " + id);
      place.append(button);
    }
  }

  const source = new EventSource("pages");
  source.addEventListener("message", ({ data }) => {
    const next = new DOMParser().parseFromString(JSON.parse(data), "text/html");
    morphdom(document.body, next.body, options);
    document.title = next.title;
    addButtons();
    setRunning(next.documentElement.dataset.running);
    dispatchEvent(new Event("fxconform-update"));
  });
  source.addEventListener("error", () => {
    source.close();
    document.getElementById("status").textContent = "fxconform has stopped. This page shows the last state.";
    setRunning("over");
  });
})();
`;
