import { endpoints } from "../../../spec/endpoints.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { fieldOf, isLeftOut, isRedirection, isRefusal, isSuccess, utf8 } from "../../../model/exchange.ts";
import { memberOf } from "../../../spec/json.ts";
import type { Exchange } from "../../../model/exchange.ts";
import { classOf, holds, shown, type Check } from "./rule.ts";
import type { Deviation } from "../../../model/run.ts";
import type { Judgement } from "../../../model/judgement.ts";
import { bodyText, brokenResponse, brokenStatus, noCrash } from "./words.ts";

/** A crash, the one thing that is judged of every response (INT-04). */
export const judgeCrash = (exchange: Exchange): Judgement => {
  const { status } = exchange.response;
  // A server may refuse a method that it does not know (INT-38).
  const isUnknownMethod = exchange.exemptBy === "INT-38" && status === 501;
  return status < 500 || status >= 600 || isUnknownMethod
    ? holds("HTTP-04")
    : brokenStatus(exchange, "HTTP-04", noCrash);
};

/** The response as a message (INT-01 to INT-05). */
export const message: Check = (exchange, { identities }) =>
  exchange.exemptBy === undefined ? judgeMessage(exchange, identities.hasSeenList()) : [judgeCrash(exchange)];

/** The requirements on the body of an error. */
const errorShapes = Object.values(endpoints).map(({ errorShape }) => errorShape);

export const decidedByMessage: readonly RequirementId[] = [
  ...(["HTTP-01", "HTTP-02", "HTTP-03", "HTTP-04", "HTTP-06"] as const),
  ...errorShapes,
];

/** Judges one thing after the other, each only if the one before is right, so that one cause fails one requirement. */
export function judgeMessage(exchange: Exchange, hasSeenList = false): readonly Judgement[] {
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

/** Undefined: nothing is said of this, and the next step judges. */
type MessageCheck = (exchange: Exchange, hasSeenList: boolean) => Judgement | "nothing more" | undefined;

const judgePresence: MessageCheck = (exchange, hasSeenList) => {
  const { body, defect, status } = exchange.response;
  if (defect?.kind === "missing") return "nothing more";
  if (body.length > 0 || defect !== undefined) return isSuccess(exchange) ? holds("HTTP-06") : undefined;
  const actual = `status ${status} without a body`;
  // No request of ours is conditional, so a 304 can only mean the previous list (INT-34).
  const isNotModified = status === 304 && exchange.operation === "listBatches" && hasSeenList;
  if (isSuccess(exchange) || isNotModified)
    return brokenResponse(exchange, "HTTP-06", "a success without a body", {
      expected: `a body: ${bodyText(exchange)}`,
      actual,
      cause: { expected: "a JSON body", actual: "no body" },
      deviation: { kind: "body", of: "success", expected: "a JSON body", actual: "no body" },
    });
  return isRefusal(exchange) ? brokenError(exchange, actual, "no body") : "nothing more";
};

const judgeMediaType: MessageCheck = (exchange) => {
  const { body, headers, status } = exchange.response;
  const mediaType = fieldOf(headers, "content-type");
  if (isJsonMediaType(mediaType)) return holds("HTTP-01");
  return brokenResponse(exchange, "HTTP-01", "a body that is not declared as JSON", {
    expected: `Content-Type: application/json${exchange.json === undefined ? `, and ${bodyText(exchange)}` : ""}`,
    actual: `status ${status}, ${typeText(mediaType)}, ${firstLine(body)}`,
    cause: { expected: "Content-Type: application/json", actual: typeText(mediaType?.split(";")[0]) },
    deviation: mediaTypeDeviation(exchange, mediaType),
  });
};

/** A page in place of JSON is another mistake than JSON with a wrong label. */
function mediaTypeDeviation(exchange: Exchange, mediaType: string | undefined): Deviation {
  const { operation, intent, json, response } = exchange;
  const actual = mediaType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isPage = json === undefined && actual === "text/html";
  const of = `${response.status}`;
  if (isPage && intent.kind === "valid") return { kind: "page", of: operation, expected: "JSON", actual: of };
  return { kind: "media type", of: isSuccess(exchange) ? "success" : "error", expected: "application/json", actual };
}

const judgeBytes: MessageCheck = (exchange) => {
  const { body, defect } = exchange.response;
  if (isLeftOut(exchange.response)) return "nothing more";
  // A body that was parsed is UTF-8.
  if (exchange.json !== undefined) return holds("HTTP-03");
  if (defect !== undefined && defect.kind !== "too deep") return undefined;
  const text = utf8(body);
  // JSON begins with ASCII, in which UTF-16 and UTF-32 have zero bytes: well-formed UTF-8 by chance.
  if (text !== undefined && !text.slice(0, 4).includes("\0")) return holds("HTTP-03");
  const near = placeOfStrayBytes(body);
  return brokenResponse(exchange, "HTTP-03", "bytes that are not UTF-8", {
    expected: `UTF-8: ${bodyText(exchange)}`,
    actual: `${body.length} bytes, invalid near ${JSON.stringify(near.slice(0, 60))}`,
    cause: { expected: "a body in UTF-8", actual: "other bytes" },
    deviation: { kind: "body", of: bodyKind(exchange), expected: "UTF-8", actual: "other bytes" },
  });
};

/** The text around the first bytes that are not UTF-8. Looks at a part of the body after the other. */
const placeOfStrayBytes = (body: Uint8Array): string => {
  for (let from = 0; from < body.length; from += 4096) {
    const end = from + 4200;
    const text = new TextDecoder().decode(body.subarray(Math.max(0, from - 100), end));
    // The part can begin and end within a character.
    const at = text.indexOf("\ufffd", from === 0 ? 0 : 4);
    if (at >= 0 && (end >= body.length || at < text.length - 4)) return text.slice(Math.max(0, at - 20));
  }
  return "the end of the body";
};

const judgeJson: MessageCheck = (exchange) => {
  const { body, defect, status } = exchange.response;
  if (exchange.json !== undefined) return holds("HTTP-02");
  const isRead = defect === undefined || defect.kind === "too deep";
  return brokenResponse(exchange, "HTTP-02", "a body that is not well-formed JSON", {
    expected: `well-formed JSON (RFC 8259): ${bodyText(exchange)}`,
    actual: `status ${status}: ${isRead ? parseError(body) : defect.text}`,
    cause: {
      expected: "one JSON text",
      actual: isRead ? "text that is not well-formed" : `body ${defect.kind}`,
    },
    deviation: {
      kind: "body",
      of: bodyKind(exchange),
      expected: "JSON",
      actual: isRead ? "not well-formed" : defect.kind,
    },
  });
};

const bodyKind = (exchange: Exchange): string => (isSuccess(exchange) ? "success" : "error");

const judgeError: MessageCheck = (exchange) => {
  if (!isRefusal(exchange)) return undefined;
  const words = memberOf(exchange.json, "message");
  return typeof words === "string"
    ? holds(endpoints[exchange.operation].errorShape)
    : brokenError(
        exchange,
        `status ${exchange.response.status}, ${shown(exchange.json)}`,
        words === undefined ? "no message" : classOf(words),
      );
};

/** A redirection that is not exempt neither accepts the request nor refuses it (INT-05 and INT-34). */
function judgeRedirection(exchange: Exchange): Judgement | undefined {
  const { headers, status } = exchange.response;
  if (!isRedirection(exchange) || status === 304) return undefined;
  const place = fieldOf(headers, "location");
  return brokenResponse(exchange, endpoints[exchange.operation].errorShape, "a redirection in place of a refusal", {
    expected: "a success, or a 4xx with a JSON object that has a string message",
    actual: `status ${status}${place === undefined ? "" : ` to ${shown(place)}`}`,
    cause: { expected: "a 4xx status", actual: "a redirection" },
    deviation: { kind: "refusal", of: "any", expected: "a 4xx status", actual: `${status}` },
  });
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

const brokenError = (exchange: Exchange, actual: string, found: string): Judgement =>
  brokenResponse(exchange, endpoints[exchange.operation].errorShape, "a refusal without a string `message`", {
    expected: "a JSON object with a string message",
    actual,
    ...(found !== "no body" && { pointer: "/message" }),
    cause: { expected: "/message is a string", actual: found },
    deviation: { kind: "error", of: "", expected: "a string message", actual: found, kin: errorShapes },
  });

/** `application/json` with any parameters in any letter case (RFC 9110, 8.3.1). */
const isJsonMediaType = (value: string | undefined): boolean =>
  value?.split(";")[0]?.trim().toLowerCase() === "application/json";

const typeText = (mediaType: string | undefined): string =>
  mediaType === undefined ? "no Content-Type" : `Content-Type: ${mediaType}`;

const firstLine = (body: Uint8Array): string =>
  shown(
    new TextDecoder()
      .decode(body.subarray(0, 20_000))
      .trimStart()
      .split(/[\r\n]/)[0],
  );

const parseError = (body: Uint8Array): string => {
  try {
    JSON.parse(Buffer.from(body).toString());
    return "JSON";
  } catch (error) {
    return (error as Error).message;
  }
};
