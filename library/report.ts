/** Reports as a library: `import { readRun, renderers } from "fxconform/report"`. */
export { consoleText } from "../reports/console.ts";
export { renderers, type Renderer, type ReportName } from "../reports/index.ts";
export { readRun, ReportError } from "../reports/read.ts";
export type * from "../model/run.ts";
