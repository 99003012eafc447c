/** Reports for programs: `import { readRun, renderers } from "fxconform/report"`. */
export { consoleText } from "./console.ts";
export { renderers, type Renderer, type ReportName } from "./index.ts";
export { readRun, ReportError } from "./read.ts";
export type * from "../model/run.ts";
