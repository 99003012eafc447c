import { posix, relative, sep } from "node:path";
import type { Block, Page, Shown } from "./page.ts";

/** GitHub shows at most this many annotations of each kind for a step. */
const most = 10;

/** What an annotation says. */
interface Annotation {
  readonly title: string;
  readonly text: string;
  /** The place in a document that is judged, for annotations at its lines. */
  readonly place?: Shown["place"];
}

/**
 * Makes the commands with which a GitHub job shows each mistake: those of a document at its lines,
 * among the changes of a pull request. Other reasons why the gate fails, and what narrows the gate,
 * follow. Nothing in their texts acts on a CI runner. The paths of the page are relative to
 * `folder`, the working directory; annotations need paths that are relative to `workspace`, the
 * folder of the repository.
 */
export function annotations(
  { mistakes, warnings, gate, summary }: Page,
  folder: string,
  workspace: string = folder,
): readonly string[] {
  const way = relative(workspace, folder).split(sep).join("/");
  const own = (text: string): Annotation => ({ title: "fxconform", text });
  const errors = [...mistakes.map(ofMistake), ...gate.reasons.map(own)];
  // A reason that the summary says is no reason of its own on a page.
  const isUnsaid = errors.length === 0 && !gate.passes;
  const all = {
    error: isUnsaid ? [own(summary)] : errors,
    warning: [...gate.narrowed.map(own), ...warnings.map(ofMistake)],
  };
  return (["error", "warning"] as const).flatMap((kind) =>
    all[kind].slice(0, most).map((one) => commandOf(kind, one, way)),
  );
}

function ofMistake({ title: words, shows, breaks }: Block): Annotation {
  if (shows === undefined) return { title: "fxconform", text: words };
  const title = breaks.map(({ id }) => id).join(" ");
  const { message, expected, actual, place } = shows;
  if (place !== undefined) return { title, text: message, place };
  const what = breaks.length > 1 ? words : message;
  return { title, text: `${what}. Expected ${expected}, found ${actual}.` };
}

function commandOf(kind: string, { title, text, place }: Annotation, way: string): string {
  const properties = {
    ...(place && { file: posix.join(way, place.file), line: place.line, col: place.column }),
    title,
  };
  const texts = Object.entries(properties).map(
    ([name, value]) =>
      `${name}=${escapedText(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  return `::${kind} ${texts.join(",")}::${escapedText(text)}`;
}

function escapedText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
