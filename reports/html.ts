import { page } from "./html/page.ts";
import type { Renderer } from "./renderer.ts";

/** One file that a person reads: no network, whole without JavaScript, for screen and paper. */
export const html: Renderer = { file: "report.html", render: (run) => page(run).markup };
