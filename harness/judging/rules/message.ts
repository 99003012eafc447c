import type { RequirementId } from "../../../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../../../spec/operations.ts";
import { fieldOf, isRefusal, isSuccess, memberOf, requestText, utf8, type Exchange } from "../../../model/exchange.ts";
import { broken, classOf, holds, shown, type Check } from "./rule.ts";
import type { Judgement } from "../../../model/finding.ts";
import { bodyText } from "./members.ts";
import { statusCause } from "../status-cause.ts";

/** The requirement on the error body of each operation. */
export const errorShapeOf = {
  createToken: "AUTH-12",
  createCounterparty: "CPTY-12",
  createOperation: "OPER-17",
  addAcamItem: "ACAM-06",
  createBatch: "BATCH-08",
  listBatches: "BATCH-28",
} as const satisfies Record<OperationName, RequirementId>;

/** A crash, the one thing that is judged of every response (INT-04). */
export const crash = (exchange: Exchange): readonly Judgement[] => {
  const { operation, intent, response, exemptBy } = exchange;
  const { status } = response;
  // A server may refuse a method that it does not know (INT-38).
  const isUnknownMethod = exemptBy === "INT-38" && status === 501;
  if (status < 500 || status >= 600 || isUnknownMethod) return [holds("HTTP-04")];
  return [
    broken("HTTP-04", {
      message: `${operationTitle(operation)} answers ${requestText(intent)} with ${status}.`,
      expected: "a status below 500",
      actual: `status ${status}`,
      ...(response.body.length === 0 ? {} : { quote: quoteOf(exchange) }),
      cause: statusCause("a status below 500", status),
    }),
  ];
};

/** The response as a message (INT-01 to INT-05). */
export const message: Check = (exchange, { identities }) =>
  exchange.exemptBy === undefined ? judgeMessage(exchange, identities.hasSeenList()) : crash(exchange);

/**
 * Judges status, media type, bytes, JSON and error shape, in this order. It judges each only if the one before is
 * right, so that one cause fails one requirement.
 */
export function judgeMessage(exchange: Exchange, hasSeenList = false): readonly Judgement[] {
  const { body, headers, defect, status } = exchange.response;
  const answers = `${operationTitle(exchange.operation)} answers ${requestText(exchange.intent)}`;
  const judgements: Judgement[] = [...crash(exchange)];
  if (judgements.some(({ violation }) => violation !== undefined) || defect?.kind === "missing") return judgements;
  if (body.length === 0 && defect === undefined) return [...judgements, ...judgeEmpty(exchange, hasSeenList)];
  if (isSuccess(exchange)) judgements.push(holds("HTTP-06"));

  const mediaType = fieldOf(headers, "content-type");
  if (!isJsonMediaType(mediaType)) {
    return [
      ...judgements,
      broken("HTTP-01", {
        message: `${answers} with a body that is not declared as JSON.`,
        expected: `Content-Type: application/json${exchange.json === undefined ? `, and ${bodyText(exchange)}` : ""}`,
        actual: `status ${status}, ${typeText(mediaType)}, ${firstLine(body)}`,
        cause: { expected: "Content-Type: application/json", actual: typeText(mediaType?.split(";")[0]) },
      }),
    ];
  }
  judgements.push(holds("HTTP-01"));
  if (defect?.kind === "too large") return judgements;

  // A body that was parsed is UTF-8: decode only the others again.
  const text = defect === undefined && exchange.json === undefined ? utf8(body) : "";
  // JSON begins with ASCII, in which UTF-16 and UTF-32 have zero bytes: well-formed UTF-8 by chance.
  if (text === undefined || (exchange.json === undefined && text.slice(0, 4).includes("\0"))) {
    return [
      ...judgements,
      broken("HTTP-03", {
        message: `${answers} with bytes that are not UTF-8.`,
        expected: `UTF-8: ${bodyText(exchange)}`,
        actual: `${body.length} bytes, invalid near ${JSON.stringify(
          new TextDecoder()
            .decode(body)
            .replace(/^[^�]*?(.{0,20}�)/s, "$1")
            .slice(0, 60),
        )}`,
        cause: { expected: "a body in UTF-8", actual: "other bytes" },
      }),
    ];
  }
  if (defect === undefined) judgements.push(holds("HTTP-03"));
  if (exchange.json === undefined) {
    return [
      ...judgements,
      broken("HTTP-02", {
        message: `${answers} with a body that is not well-formed JSON.`,
        expected: `well-formed JSON (RFC 8259): ${bodyText(exchange)}`,
        actual: `status ${status}: ${defect?.text ?? parseError(text)}`,
        cause: {
          expected: "one JSON text",
          actual: defect === undefined ? "text that is not well-formed" : `body ${defect.kind}`,
        },
      }),
    ];
  }
  judgements.push(holds("HTTP-02"));
  return isRefusal(exchange) ? [...judgements, judgeErrorShape(exchange)] : judgements;
}

const judgeEmpty = (exchange: Exchange, hasSeenList: boolean): readonly Judgement[] => {
  const [title, request] = [operationTitle(exchange.operation), requestText(exchange.intent)];
  const actual = `status ${exchange.response.status} without a body`;
  // No request of ours is conditional, so a 304 can only mean the previous list (INT-34).
  const isNotModified = exchange.response.status === 304 && exchange.operation === "listBatches" && hasSeenList;
  if (isSuccess(exchange) || isNotModified) {
    const cause = { expected: "a JSON body", actual: "no body" };
    const message = `${title} answers ${request} with a success without a body.`;
    return [broken("HTTP-06", { message, expected: `a body: ${bodyText(exchange)}`, actual, cause })];
  }
  if (isRefusal(exchange)) {
    return [
      broken(errorShapeOf[exchange.operation], {
        message: `${title} refuses ${request} without a body.`,
        expected: "a JSON object with a string message",
        actual,
        cause: { expected: "/message is a string", actual: "no body" },
      }),
    ];
  }
  return [];
};

const judgeErrorShape = (exchange: Exchange): Judgement => {
  const requirement = errorShapeOf[exchange.operation];
  const words = memberOf(exchange.json, "message");
  return typeof words === "string"
    ? holds(requirement)
    : broken(requirement, {
        message: `${operationTitle(exchange.operation)} refuses ${requestText(exchange.intent)} with a body ${words === undefined ? "that has no `message`" : "whose `message` is not a string"}.`,
        expected: "/message is a string",
        actual:
          words === undefined
            ? `status ${exchange.response.status}, ${shown(exchange.json)}`
            : `status ${exchange.response.status}, /message = ${shown(words)}`,
        pointer: "/message",
        cause: { expected: "/message is a string", actual: words === undefined ? "no message" : classOf(words) },
      });
};

/** `application/json` with any parameters in any letter case (RFC 9110, 8.3.1). */
const isJsonMediaType = (value: string | undefined): boolean =>
  value !== undefined && /^application\/json$/i.test((value.split(";")[0] ?? "").trim());

const typeText = (mediaType: string | undefined): string =>
  mediaType === undefined ? "no Content-Type" : `Content-Type: ${mediaType}`;

/** The first line of a body that is not empty. */
const firstLine = (body: Uint8Array): string =>
  shown(
    new TextDecoder()
      .decode(body.subarray(0, 20_000))
      .trimStart()
      .split(/[\r\n]/)[0],
  );

const parseError = (text: string): string => {
  try {
    JSON.parse(text);
    return "JSON";
  } catch (error) {
    return (error as Error).message;
  }
};

/** The body, in one line. */
const quoteOf = ({ json, response }: Exchange): string =>
  shown(json ?? new TextDecoder().decode(response.body.subarray(0, 20_000)));
