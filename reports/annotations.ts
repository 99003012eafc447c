import { posix, relative, sep } from "node:path";
import type { Run } from "../model/run.ts";
import { failuresOf } from "./failures.ts";
import { plain } from "./sanitize.ts";

/** GitHub shows at most this many annotations of each kind for a step. */
const most = 10;

/**
 * Makes the commands with which a GitHub job shows each cause at its line of the document, among
 * the changes of a pull request. The paths of the run are relative to `folder`, the working
 * directory; annotations need paths that are relative to `workspace`, the folder of the repository.
 */
export function annotations(
  run: Run,
  folder: string,
  workspace: string = folder,
): readonly string[] {
  return (["fail", "warn"] as const).flatMap((verdict) => {
    const kind = verdict === "fail" ? "error" : "warning";
    const lines = failuresOf(run, verdict).flatMap(({ rows, members: [{ finding }] }) => {
      if (finding.document === undefined) return [];
      const { file, line, column } = finding.document;
      const way = relative(workspace, folder).split(sep).join("/");
      const title = rows.map(({ id }) => id).join(" ");
      const properties = { file: posix.join(way, file), line, col: column, title };
      const texts = Object.entries(properties).map(
        ([name, value]) => `${name}=${property(String(value))}`,
      );
      return [`::${kind} ${texts.join(",")}::${escapedText(plain(finding.message, 500))}`];
    });
    return lines.slice(0, most);
  });
}

function escapedText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return escapedText(plain(text, 300)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
