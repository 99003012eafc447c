import { endpoints } from "../../../spec/endpoints.ts";
import {
  fieldOf,
  isLeftOut,
  isRedirection,
  isRefusal,
  isSuccess,
  utf8,
  type Exchange,
  pageTitleIn,
} from "../../../model/exchange.ts";
import { classOf, memberOf, type Json } from "../../../spec/json.ts";
import { hasNotFinite } from "../../../model/request-facts.ts";
import { shown, type Rule } from "./rule.ts";
import { notFinite, type Mistake } from "../../../model/run.ts";
import {
  holds,
  type Judgement,
  noCrash,
  wrongBodies,
  type WrongBody,
} from "../../../model/mistake.ts";
import { bodyText, brokenResponse, brokenStatus } from "./words.ts";

/**
 * Judges whether a response is a crash: a status from 500 to 599. This is judged of every response,
 * exempt or not (INT-04).
 */
function judgeCrash(exchange: Exchange): Judgement {
  const { status } = exchange.response;
  // A server may refuse an unknown method with 501 (INT-38).
  const isUnknownMethod = exchange.exemptBy === "INT-38" && status === 501;
  return status < 500 || status >= 600 || isUnknownMethod
    ? holds("HTTP-04")
    : brokenStatus(exchange, "HTTP-04", noCrash);
}

/** The requirements on the body of an error. */
const errorShapes = Object.values(endpoints).map(({ errorShape }) => errorShape);

/**
 * Judges a response as a message: status, media type, JSON, the shape of errors (INT-01 to INT-05).
 */
export const message: Rule = {
  judges: "every",
  create: ({ ids }) => ({
    judge: (exchange) =>
      exchange.exemptBy === undefined
        ? judgeMessage(exchange, ids.hasSeenList())
        : [judgeCrash(exchange)],
  }),
};

/**
 * Whether the body was read to its end. If it was not, it can show that a requirement is broken,
 * but not that one holds.
 */
export function isReadToTheEnd({ response }: Exchange): boolean {
  return response.defect?.kind !== "too deep";
}

/**
 * Judges a message step by step and stops at the first violation, so that one cause fails one
 * requirement.
 */
export function judgeMessage(exchange: Exchange, hasSeenList: boolean): readonly Judgement[] {
  const judgements: Judgement[] = [];
  for (const step of steps) {
    const judgement = step(exchange, hasSeenList);
    if (judgement === "nothing more") return judgements;
    if (judgement === undefined) continue;
    judgements.push(judgement);
    if (judgement.violation !== undefined) return judgements;
  }
  return judgements;
}

/**
 * One step of judging a message. Returns a judgement, "nothing more" if no later step applies, or
 * undefined if this step has nothing to judge.
 */
type MessageCheck = (
  exchange: Exchange,
  hasSeenList: boolean,
) => Judgement | "nothing more" | undefined;

const judgePresence: MessageCheck = (exchange, hasSeenList) => {
  const { body, defect, status } = exchange.response;
  if (defect?.kind === "missing") return "nothing more";
  if (body.length > 0 || defect !== undefined)
    return isSuccess(exchange) ? holds("HTTP-06") : undefined;
  const actual = `status ${status} without a body`;
  // No request of ours is conditional, so a 304 can only stand for the previous list (INT-34).
  const isNotModified = status === 304 && exchange.operation === "listBatches" && hasSeenList;
  if (isSuccess(exchange) || isNotModified)
    return brokenResponse(exchange, "HTTP-06", "a success without a body", {
      expected: `a body: ${bodyText(exchange)}`,
      actual,
      mistake: bodyMistake(exchange, "a JSON body", "no body"),
    });
  return isRefusal(exchange) ? brokenError(exchange, actual, "no body") : "nothing more";
};

const judgeMediaType: MessageCheck = (exchange) => {
  const { body, headers, status } = exchange.response;
  const mediaType = fieldOf(headers, "content-type");
  if (isJsonMediaType(mediaType)) return holds("HTTP-01");
  return brokenResponse(exchange, "HTTP-01", "a body that is not declared as JSON", {
    expected: `Content-Type: application/json${exchange.json === undefined ? `, and ${bodyText(exchange)}` : ""}`,
    actual: `status ${status}, ${typeText(mediaType)}, ${beginningText(body)}`,
    mistake: mediaTypeMistake(exchange, mediaType),
  });
};

/**
 * The mistake for a wrong media type. A page in place of JSON is another mistake than JSON with a
 * wrong label.
 */
function mediaTypeMistake(exchange: Exchange, mediaType: string | undefined): Mistake {
  const { operation, intent, json, response } = exchange;
  const actual = mediaType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isPage = json === undefined && actual === "text/html";
  const of = `${response.status}`;
  if (isPage && intent.kind === "valid")
    return { kind: "page", of: operation, expected: "JSON", actual: of };
  return {
    kind: "media type",
    of: isSuccess(exchange) ? "success" : "error",
    expected: "application/json",
    actual,
  };
}

const judgeBytes: MessageCheck = (exchange) => {
  const { body, defect } = exchange.response;
  if (isLeftOut(exchange.response)) return "nothing more";
  // A body that was parsed is certainly UTF-8.
  if (exchange.json !== undefined) return holds("HTTP-03");
  if (defect !== undefined && defect.kind !== "too deep") return undefined;
  const text = utf8(body);
  // JSON begins with ASCII characters. In UTF-16 and UTF-32 they contain zero bytes, so that such a
  // text can be well-formed UTF-8 by chance.
  if (text !== undefined && !text.slice(0, 4).includes("\0")) return holds("HTTP-03");
  const near = placeOfStrayBytes(body);
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  return brokenResponse(exchange, "HTTP-03", "bytes that are not UTF-8", {
    expected: `UTF-8: ${bodyText(exchange)}`,
    actual: `${body.length} bytes, invalid near ${JSON.stringify(near.slice(0, 60))}`,
    mistake: bodyMistake(exchange, "UTF-8", isGzip ? "gzip without its header" : "other bytes"),
  });
};

/** The text around the first bytes that are not UTF-8, if these are near the beginning of a body. */
function placeOfStrayBytes(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, longestLooked));
  const at = text.indexOf("\ufffd");
  return at < 0 ? "a later place" : text.slice(Math.max(0, at - 20));
}

const longestLooked = 1_000_000;

const judgeJson: MessageCheck = (exchange) => {
  const { body, defect, status } = exchange.response;
  if (exchange.json !== undefined) return holds("HTTP-02");
  const kind = defect?.kind ?? "too deep";
  if (kind === "missing" || kind === "too large" || kind === "too many") return "nothing more";
  return brokenResponse(exchange, "HTTP-02", "a body that is not well-formed JSON", {
    expected: `well-formed JSON (RFC 8259): ${bodyText(exchange)}`,
    actual: `status ${status}: ${defect === undefined || kind === "too deep" ? parseError(body) : defect.text}`,
    mistake: bodyMistake(exchange, "JSON", kind === "too deep" ? unreadable(body) : kind),
  });
};

/** What is wrong with a body that is UTF-8 and no JSON. */
function unreadable(body: Uint8Array): WrongBody {
  if (utf8(body)?.startsWith("\ufeff") === true) return "a byte order mark";
  // Many libraries write NaN or Infinity, which JSON does not have. That is a mistake of its own.
  return hasNotFinite(body) ? notFinite : "not well-formed";
}

function bodyMistake(exchange: Exchange, expected: string, actual: WrongBody): Mistake {
  const own = isSuccess(exchange) ? "success" : "error";
  return { kind: "body", of: wrongBodies.has(actual) ? "any" : own, expected, actual };
}

const judgeError: MessageCheck = (exchange) => {
  if (!isRefusal(exchange)) return undefined;
  const words = memberOf(exchange.json, "message");
  return typeof words === "string"
    ? holds(endpoints[exchange.operation].errorShape)
    : brokenError(
        exchange,
        `${messageText(words)} in ${shown(exchange.json)}, status ${exchange.response.status}`,
        words === undefined ? "no message" : classOf(words),
      );
};

function messageText(words: Json | undefined): string {
  return words === undefined ? "/message is absent" : `/message = ${shown(words)}`;
}

/**
 * Finds a violation in a redirection that is not exempt, because it neither accepts the request nor
 * refuses it (INT-05 and INT-34). Returns undefined for a 304 and for any other response.
 */
function judgeRedirection(exchange: Exchange): Judgement | undefined {
  const { headers, status } = exchange.response;
  if (!isRedirection(exchange) || status === 304) return undefined;
  const place = fieldOf(headers, "location");
  return brokenResponse(
    exchange,
    endpoints[exchange.operation].errorShape,
    "a redirection in place of a refusal",
    {
      expected: "a success, or a 4xx with a JSON object that has a string message",
      actual: `status ${status}${place === undefined ? "" : ` to ${shown(place)}`}`,
      mistake: { kind: "refusal", of: "any", expected: "a 4xx status", actual: `${status}` },
    },
  );
}

const steps: readonly MessageCheck[] = [
  judgeCrash,
  judgeRedirection,
  judgePresence,
  judgeMediaType,
  judgeBytes,
  judgeJson,
  judgeError,
];

function brokenError(exchange: Exchange, actual: string, found: string): Judgement {
  return brokenResponse(
    exchange,
    endpoints[exchange.operation].errorShape,
    "a refusal without a string `message`",
    {
      expected:
        found === "no body" ? "a JSON object with a string message" : "/message is a string",
      actual,
      ...(found !== "no body" && { pointer: "/message" }),
      mistake: {
        kind: "error",
        of: "",
        expected: "a string message",
        actual: found,
        kin: errorShapes,
      },
    },
  );
}

/**
 * Whether a media type is `application/json`, with any parameters and in any letter case (RFC 9110,
 * 8.3.1).
 */
function isJsonMediaType(value: string | undefined): boolean {
  return value?.split(";")[0]?.trim().toLowerCase() === "application/json";
}

function typeText(mediaType: string | undefined): string {
  return mediaType === undefined ? "no Content-Type" : `Content-Type: ${mediaType}`;
}

/** What a body says first: the title if it is an HTML page, or else its first line. */
function beginningText(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 20_000));
  const title = pageTitleIn(text);
  if (title === undefined) return shown(text.trimStart().split(/[\r\n]/)[0]);
  return title === "" ? "an HTML page" : `an HTML page, ${shown(title)}`;
}

function parseError(body: Uint8Array): string {
  try {
    JSON.parse(Buffer.from(body).toString());
    return "JSON";
  } catch (error) {
    return (error as Error).message;
  }
}
