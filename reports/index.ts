import { json } from "./formats/json.ts";
import { junit } from "./formats/junit.ts";
import { markdown } from "./formats/markdown.ts";
import { html } from "./html/page.ts";
import { metrics } from "./formats/metrics.ts";
import type { ReportName } from "../model/run-options.ts";
import type { Renderer } from "./saving.ts";

export const renderers = { json, junit, html, markdown, metrics } as const satisfies Record<
  ReportName,
  Renderer
>;
