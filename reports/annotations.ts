import { posix, relative, sep } from "node:path";
import type { Finding, Run } from "../model/run.ts";
import { actualText, expectedText, failuresOf, ownReasons, type Failure } from "./failures.ts";
import { plain } from "./sanitize.ts";

/** GitHub shows at most this many annotations of each kind for a step. */
const most = 10;

/** What an annotation says. */
interface Annotation {
  readonly title: string;
  readonly text: string;
  /** The place in a document that is judged, for annotations at its lines. */
  readonly place?: Finding["document"];
}

/**
 * Makes the commands with which a GitHub job shows each mistake: those of a document at its lines,
 * among the changes of a pull request. Other reasons why the gate fails, and what narrows the gate,
 * follow. Nothing in their texts acts on a CI runner. The paths of the run are relative to
 * `folder`, the working directory; annotations need paths that are relative to `workspace`, the
 * folder of the repository.
 */
export function annotations(
  run: Run,
  folder: string,
  workspace: string = folder,
): readonly string[] {
  const way = relative(workspace, folder).split(sep).join("/");
  const reasons = ownReasons(run).filter(({ kind }) => kind !== "must-failed");
  const own = (text: string): Annotation => ({ title: "fxconform", text });
  const all = {
    error: [...failuresOf(run, "fail").map(ofFailure), ...reasons.map(({ text }) => own(text))],
    warning: [...(run.narrowed ?? []).map(own), ...failuresOf(run, "warn").map(ofFailure)],
  };
  return (["error", "warning"] as const).flatMap((kind) =>
    all[kind].slice(0, most).map((one) => commandOf(kind, one, way)),
  );
}

function ofFailure({ rows, cause, members: [{ finding }] }: Failure): Annotation {
  const title = rows.map(({ id }) => id).join(" ");
  if (finding.document !== undefined)
    return { title, text: finding.message, place: finding.document };
  const found = `Expected ${expectedText(finding)}, found ${actualText(finding)}.`;
  const text = rows.length > 1 ? cause.text : finding.message;
  return { title, text: `${text.replace(/\.$/, "")}. ${found}` };
}

function commandOf(kind: string, { title, text, place }: Annotation, way: string): string {
  const properties = {
    ...(place && { file: posix.join(way, place.file), line: place.line, col: place.column }),
    title,
  };
  const texts = Object.entries(properties).map(
    ([name, value]) => `${name}=${property(String(value))}`,
  );
  return `::${kind} ${texts.join(",")}::${escapedText(plain(text, 500))}`;
}

function escapedText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return escapedText(plain(text, 300)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
