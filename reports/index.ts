import { badge } from "./badge.ts";
import { ctrf } from "./ctrf.ts";
import { har } from "./har.ts";
import { html } from "./html/page.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import { metrics } from "./metrics/metrics.ts";
import type { Renderer } from "./renderer.ts";

/** Every report by the word that `--reports` takes. */
export const renderers = { json, junit, html, markdown, har, ctrf, badge, metrics } as const satisfies Record<
  string,
  Renderer
>;

/** The word of a report. */
export type ReportName = keyof typeof renderers;

export type { Renderer } from "./renderer.ts";
