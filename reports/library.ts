/** Reports for programs: `import { readRun, renderers } from "fxconform/report"`. */
export { consoleText } from "./console.ts";
export { renderers } from "./index.ts";
export type { Renderer } from "./saving.ts";
export type { ReportName } from "../model/run-options.ts";
export { readRun, ReportError } from "./read.ts";
export type * from "../model/run.ts";
