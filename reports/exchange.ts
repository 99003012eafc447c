import { defined } from "../model/defined.ts";
import { parsedJson } from "../model/exchange.ts";
import type { RecordedExchange } from "../model/run.ts";
import { durationText } from "./duration.ts";

/** A request and its response, or why there was none, as pages show them. */
export interface ShownExchange {
  readonly request: ShownMessage;
  readonly response?: ShownMessage;
  readonly error: string;
  readonly took: string;
  readonly scenario: string;
}

/** `start`: the first line. `rest`: what the body does not show. */
interface ShownMessage {
  readonly start: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** How many headers there were; at most 30 are shown. */
  readonly headerCount: number;
  readonly body: readonly { readonly line: string; readonly isMarked?: true }[];
  readonly rest: string;
}

/** `around`: how many lines before and behind a place stand for a long body. */
const bounds = { body: 4000, headers: 30, around: 20 } as const;

/** `pointer`: the place in the body of the response whose line is marked. */
export function shownExchange(exchange: RecordedExchange, pointer?: string): ShownExchange {
  const { request, response, error, took, scenario } = exchange;
  const missing = response === undefined ? "no reason was recorded" : "";
  return {
    request: messageOf(`${request.method} ${request.url}`, {
      ...request,
      body: request.body ?? "",
    }),
    ...(response && {
      response: messageOf(`${response.status} ${response.statusText}`, response, pointer),
    }),
    error: error ?? missing,
    took: durationText(took),
    scenario,
  };
}

type MessageParts = Pick<
  NonNullable<RecordedExchange["response"]>,
  "headers" | "body" | "bodyBytes"
>;

function messageOf(
  start: string,
  { headers, body, bodyBytes }: MessageParts,
  pointer?: string,
): ShownMessage {
  const cut = body.slice(0, bounds.body);
  const left = body.length - cut.length;
  const lines = linesAround(body, left > 0, pointer) ?? [{ line: cut }];
  const notKept = body === "" && bodyBytes > 0 ? `${bodyBytes} bytes, not recorded` : "";
  return {
    start,
    headers: headers.slice(0, bounds.headers),
    headerCount: headers.length,
    body:
      body === ""
        ? []
        : lines.map(({ line, ...at }) => ({
            line,
            ...("pointer" in at && at.pointer === pointer && pointer && { isMarked: true }),
          })),
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
  readonly pointer?: string;
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
    lines.push({ line: `${"  ".repeat(depth)}${line}${comma}`, ...defined({ pointer }) });
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
        `${pointer}/${key === undefined ? index : step(key)}`,
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

function step(key: string): string {
  return String(JSON.parse(key)).replaceAll("~", "~0").replaceAll("/", "~1");
}
