import type { RequirementResult, Run } from "../../model/run.ts";
import { facts } from "./facts.ts";
import { failures, type EvidenceBounds } from "./failures.ts";
import { latency } from "./latency.ts";
import { client } from "./lists/client.ts";
import { created } from "./lists/created.ts";
import { map, type Pending } from "./map.ts";
import { h, type Markup } from "./markup.ts";
import { noVerdict } from "./no-verdict.ts";
import { observations } from "./observations.ts";
import { requirements } from "./requirements.ts";

/** A run, and how a page shows it. */
export interface View {
  readonly run: Run;
  readonly pending: Pending;
  /** While a run is in progress, no reasons for missing verdicts are shown. */
  readonly isRunning: boolean;
  /** @defaultValue the bounds of the report on disk */
  readonly bounds?: EvidenceBounds;
}

/** The id of a section, which is its anchor, and the text of the link to it. */
interface Link {
  readonly id: SectionId;
  readonly name: string;
}

interface Source extends View {
  /** The run without pending requirements. */
  readonly checked: Run;
  /** Requirements whose anchor is in an earlier section: failures and warnings add them. */
  readonly shown: Set<RequirementResult>;
}

/** All sections in the order of the page. A section without content is undefined. */
const sections = {
  fail: ["Failures", ({ checked, shown, bounds }) => failures(checked, "fail", "Failures", shown, bounds)],
  map: ["Map", ({ run, pending }) => map(run, pending)],
  none: ["No verdict", ({ checked, isRunning }) => noVerdict(isRunning ? { ...checked, requirements: [] } : checked)],
  warn: ["Warnings", ({ checked, shown, bounds }) => failures(checked, "warn", "Warnings", shown, bounds)],
  client: ["Client", ({ run }) => client(run)],
  observed: ["Observed", ({ run }) => observations(run)],
  latency: ["Latency", ({ run }) => latency(run)],
  all: ["Requirements", ({ run, shown, pending }) => requirements(run, shown, pending)],
  created: ["Created", ({ run }) => created(run)],
  run: ["Run", ({ run }) => facts(run)],
} as const satisfies Record<string, readonly [name: string, of: (source: Source) => Markup | undefined]>;

export type SectionId = keyof typeof sections;

/** All sections in the order of the page. */
export const sectionLinks: readonly Link[] = Object.entries(sections).map(([id, [name]]) => ({
  id: id as SectionId,
  name,
}));

/** All sections with their content, in the order of the page. */
export function sectionsOf(view: View): readonly (Link & { readonly content: Markup | undefined })[] {
  const checked = { ...view.run, requirements: view.run.requirements.filter(({ id }) => !view.pending.has(id)) };
  const source = { ...view, checked, shown: new Set<RequirementResult>() };
  return sectionLinks.map((link) => ({ ...link, content: sections[link.id][1](source) }));
}

/** The bar at the top of a page, with links to sections. */
export const bar = (links: readonly Link[]): Markup =>
  h`<header class="bar"><p class="brand">fxconform</p><nav aria-label="Sections"><ul>${links.map(({ id, name }) => h`<li><a href="#${id}">${name}</a></li>`)}</ul></nav><button type="button" id="theme" hidden>Theme: auto</button></header>`;
