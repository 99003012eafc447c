import { pageText, top } from "../html/page.ts";
import { script } from "../html/script.ts";
import { style } from "../html/style.ts";
import type { Renderer } from "../saving.ts";
import { verdicts } from "../verdict-symbols.ts";

/** The HTML report in one file: it needs no network and no JavaScript, and can be printed. */
export const html: Renderer = {
  file: "report.html",
  render: (run) =>
    pageText({
      run,
      pending: new Set(),
      isRunning: false,
      title: `${run.outcome}: ${run.target.baseUrl}`,
      verdicts: verdicts.filter((verdict) =>
        run.requirements.some((row) => row.verdict === verdict),
      ),
      head: top(run),
      foot: `Made by ${run.tool.name} ${run.tool.version} from report.json, which also contains what is left out here.`,
      sheet: style,
      scripts: [script],
    }),
};
