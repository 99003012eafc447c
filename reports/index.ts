import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import type { Renderer } from "./renderer.ts";

/** Every report by the word that `--reports` takes. */
export const renderers = { json, junit, markdown } as const satisfies Record<string, Renderer>;

/** The word of a report. */
export type ReportName = keyof typeof renderers;

export type { Renderer } from "./renderer.ts";
