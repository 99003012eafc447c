import { parsedJson } from "../../model/exchange.ts";

/** A line of an indented JSON text, and the JSON pointer (RFC 6901) of the value that starts in it. */
export interface JsonLine {
  readonly text: string;
  readonly pointer?: string;
}

/**
 * The indented lines of a JSON text. It works on tokens, so that numbers, escapes and duplicate members stay as they
 * were sent. Undefined if the text is not JSON.
 */
export function jsonLines(text: string): readonly JsonLine[] | undefined {
  if (parsedJson(text) === undefined) return undefined;
  const lines: JsonLine[] = [];
  const open: Container[] = [];
  let line = "";
  let previous = "";
  let pointer: string | undefined;
  const end = (): void => {
    if (line !== "")
      lines.push({ text: "  ".repeat(open.length) + line, ...(pointer === undefined ? {} : { pointer }) });
    line = "";
    pointer = undefined;
  };
  for (const [token] of text.matchAll(tokens)) {
    const inside = open.at(-1);
    if (token === "}" || token === "]") {
      end();
      open.pop();
      const last = lines.at(-1);
      if (last && previous === opening[token]) lines[lines.length - 1] = { ...last, text: last.text + token };
      else line = token;
    } else if (token === ",") {
      const last = lines.at(-1);
      if (line === "" && last) lines[lines.length - 1] = { ...last, text: `${last.text},` };
      line += line === "" ? "" : token;
      end();
      if (inside) inside.index++;
    } else if (token === ":") {
      line += ": ";
    } else if (inside?.kind === "{" && !line.includes(": ")) {
      inside.key = token;
      line = token;
    } else {
      pointer = pointerOf(open);
      line += token;
      if (token === "{" || token === "[") {
        end();
        open.push({ kind: token, key: "", index: 0 });
      }
    }
    previous = token;
  }
  end();
  return lines;
}

interface Container {
  readonly kind: "{" | "[";
  key: string;
  index: number;
}

const opening = { "}": "{", "]": "[" } as const;

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const pointerOf = (open: readonly Container[]): string =>
  open.map(({ kind, key, index }) => `/${kind === "[" ? index : step(key)}`).join("");

const step = (key: string): string => String(JSON.parse(key)).replaceAll("~", "~0").replaceAll("/", "~1");
