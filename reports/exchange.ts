import { escaped } from "../spec/json.ts";
import { parsedJson } from "../model/exchange.ts";
import type { RecordedExchange } from "../model/run.ts";
import { durationText } from "./wording.ts";

export type ShownExchange = ReturnType<typeof shownExchange>;

/** `around`: how many lines before and behind a place stand for a long body. */
const bounds = { body: 4000, headers: 30, around: 20 } as const;

/**
 * A request and its response, or why there was none, as pages show them. `pointer`: the place in the
 * body of the response whose line is marked.
 */
export function shownExchange(exchange: RecordedExchange, pointer?: string) {
  const { request, response, error, took, scenario } = exchange;
  const missing = response === undefined ? "no reason was recorded" : "";
  return {
    request: messageOf(`${request.method} ${request.url}`, {
      ...request,
      body: request.body ?? "",
    }),
    response: response && messageOf(`${response.status} ${response.statusText}`, response, pointer),
    error: error ?? missing,
    took: durationText(took),
    scenario,
  };
}

type MessageParts = Pick<
  NonNullable<RecordedExchange["response"]>,
  "headers" | "body" | "bodyBytes"
>;

function messageOf(start: string, { headers, body, bodyBytes }: MessageParts, pointer?: string) {
  const cut = body.slice(0, bounds.body);
  const left = body.length - cut.length;
  const lines: readonly JsonLine[] = linesAround(body, left > 0, pointer) ?? [{ line: cut }];
  const notKept = body === "" && bodyBytes > 0 ? `${bodyBytes} bytes, not recorded` : "";
  return {
    start,
    headers: headers.slice(0, bounds.headers),
    headerCount: headers.length,
    body:
      body === ""
        ? []
        : lines.map((one) => ({
            line: one.line,
            isMarked: Boolean(pointer) && one.pointer === pointer,
          })),
    /** What the body does not show. */
    rest: left > 0 ? `… ${left} more characters, ${bodyBytes} bytes in all` : notKept,
  };
}

/**
 * The lines of a JSON text; of a long one, those around the place of the pointer. Undefined if there
 * are none.
 */
function linesAround(
  body: string,
  isLong: boolean,
  pointer: string | undefined,
): readonly JsonLine[] | undefined {
  const lines = isLong && !pointer ? undefined : jsonLines(body);
  if (!isLong) return lines;
  const at = lines?.findIndex((line) => line.pointer === pointer) ?? -1;
  return at < 0 ? undefined : lines?.slice(Math.max(0, at - bounds.around), at + bounds.around);
}

/**
 * A line of an indented JSON text, and the JSON pointer (RFC 6901) of the value that begins in this
 * line.
 */
interface JsonLine {
  readonly line: string;
  readonly pointer?: string | undefined;
}

/**
 * The lines of an indented JSON text, each with its pointer. Numbers, escapes and duplicate members
 * stay as they were sent, which a parser would change. Undefined if the text is not JSON.
 */
export function jsonLines(text: string): readonly JsonLine[] | undefined {
  if (parsedJson(text) === undefined) return undefined;
  const all = text.match(tokens) ?? [];
  const lines: JsonLine[] = [];
  let at = 0;
  const next = (): string => {
    at += 1;
    return all[at - 1] ?? "";
  };
  const put = (depth: number, line: string, pointer?: string): void => {
    const comma = all[at] === "," ? next() : "";
    lines.push({ line: `${"  ".repeat(depth)}${line}${comma}`, pointer });
  };
  const value = (depth: number, head: string, pointer: string): void => {
    const open = next();
    const close = closing.get(open);
    if (close === undefined) return put(depth, head + open, pointer);
    if (all[at] === close) return put(depth, `${head}${open}${next()}`, pointer);
    put(depth, head + open, pointer);
    for (let index = 0; all[at] !== close; index++) {
      const key = open === "{" ? all[at] : undefined;
      if (key !== undefined) at += 2;
      value(
        depth + 1,
        key === undefined ? "" : `${key}: `,
        `${pointer}/${key === undefined ? index : escaped(String(JSON.parse(key)))}`,
      );
    }
    put(depth, next());
  };
  value(0, "", "");
  return lines;
}

const closing: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["[", "]"],
]);

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
