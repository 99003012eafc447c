import { pageText } from "../html/page.ts";
import { pageOf } from "../page.ts";
import type { Renderer } from "../saving.ts";

/** The HTML report in one file: it needs no network and no JavaScript, and can be printed. */
export const html: Renderer = {
  file: "report.html",
  render: (run) => {
    const generator = `${run.tool.name} ${run.tool.version}`;
    const foot = `Made by ${generator} from report.json, which also contains what is left out here.`;
    return pageText(pageOf(run), foot, generator);
  },
};
