import type { RequirementId } from "../../../spec/catalogue.ts";
import { operationNames, operationTitle, type OperationName } from "../../../spec/operations.ts";
import { fieldOf, isRefusal, isSuccess, memberOf, utf8, windowOf, type Exchange } from "../../../model/exchange.ts";
import { broken, holds, shown, type Check, type Judgement } from "./check.ts";

/** The requirement on the error body of each operation. */
export const errorShapeOf = {
  createToken: "AUTH-12",
  createCounterparty: "CPTY-12",
  createOperation: "OPER-17",
  addAcamItem: "ACAM-06",
  createBatch: "BATCH-08",
  listBatches: "BATCH-28",
} as const satisfies Record<OperationName, RequirementId>;

/**
 * The response as a message: status, media type, bytes, JSON, error shape (rulings 1 to 5). Each looks only where the
 * one before it found nothing, so that one cause is blamed once.
 */
export const message: Check = {
  judges: [
    ...(["HTTP-01", "HTTP-02", "HTTP-03", "HTTP-04", "HTTP-06"] as const).map((requirement) => ({
      requirement,
      operations: operationNames,
    })),
    ...operationNames.map((operation) => ({ requirement: errorShapeOf[operation], operations: [operation] })),
  ],
  judge: (exchange) => {
    const { status, body, headers, defect } = exchange.response;
    const title = operationTitle(exchange.operation);
    if (status >= 500 && status < 600) {
      return [
        broken("HTTP-04", {
          message: `${title} answers ${exchange.intent.kind === "valid" ? "a valid request" : "a request"} with a 5xx status.`,
          expected: "a status below 500",
          actual: `status ${status} ${serverWords(exchange)}`.trim(),
        }),
      ];
    }
    const judgements: Judgement[] = [holds("HTTP-04")];
    if (exchange.offContract) return judgements;
    if (body.length === 0 && defect === undefined) return [...judgements, ...judgeEmpty(exchange, title)];
    if (isSuccess(exchange)) judgements.push(holds("HTTP-06"));

    const mediaType = fieldOf(headers, "content-type");
    if (!isJsonMediaType(mediaType)) {
      return [
        ...judgements,
        broken("HTTP-01", {
          message: `${title} answers with a body that is not declared as JSON.`,
          expected: "Content-Type: application/json",
          actual: mediaType === undefined ? "no Content-Type" : `Content-Type: ${mediaType}`,
        }),
      ];
    }
    judgements.push(holds("HTTP-01"));
    if (defect?.kind === "too large") return judgements;

    const text = defect === undefined ? utf8(body) : "";
    // JSON begins with ASCII, in which UTF-16 and UTF-32 have zero bytes: well-formed UTF-8 by chance.
    if (text === undefined || (exchange.json === undefined && text.slice(0, 4).includes("\0"))) {
      return [
        ...judgements,
        broken("HTTP-03", {
          message: `${title} answers with bytes that are not UTF-8.`,
          expected: "a body in UTF-8",
          actual: `${body.length} bytes, invalid near ${JSON.stringify(
            new TextDecoder()
              .decode(body)
              .replace(/^[^�]*?(.{0,20}�)/s, "$1")
              .slice(0, 60),
          )}`,
        }),
      ];
    }
    if (defect === undefined) judgements.push(holds("HTTP-03"));
    if (exchange.json === undefined) {
      return [
        ...judgements,
        broken("HTTP-02", {
          message: `${title} answers with a body that is not well-formed JSON.`,
          expected: "one JSON text (RFC 8259)",
          actual: defect?.text ?? parseError(text),
        }),
      ];
    }
    judgements.push(holds("HTTP-02"));
    return isRefusal(exchange) ? [...judgements, judgeErrorShape(exchange, title)] : judgements;
  },
};

const judgeEmpty = (exchange: Exchange, title: string): readonly Judgement[] => {
  const actual = `status ${exchange.response.status} without a body`;
  if (isSuccess(exchange)) {
    return [broken("HTTP-06", { message: `${title} succeeds without a body.`, expected: "a JSON body", actual })];
  }
  if (isRefusal(exchange)) {
    return [
      broken(errorShapeOf[exchange.operation], {
        message: `${title} refuses without a body.`,
        expected: "a JSON object with a string message",
        actual,
      }),
    ];
  }
  return [];
};

const judgeErrorShape = (exchange: Exchange, title: string): Judgement => {
  const requirement = errorShapeOf[exchange.operation];
  const words = memberOf(exchange.json, "message");
  return typeof words === "string"
    ? holds(requirement)
    : broken(requirement, {
        message: `${title} refuses with a body that has no string message.`,
        expected: "/message is a string",
        actual:
          words === undefined
            ? `status ${exchange.response.status}, ${shown(exchange.json)}`
            : `/message = ${shown(words)}`,
        pointer: "/message",
      });
};

/** `application/json` with any parameters in any letter case (RFC 9110, 8.3.1). */
const isJsonMediaType = (value: string | undefined): boolean =>
  value !== undefined && /^application\/json$/i.test((value.split(";")[0] ?? "").trim());

const parseError = (text: string): string => {
  try {
    JSON.parse(text);
    return "JSON";
  } catch (error) {
    return (error as Error).message;
  }
};

const serverWords = (exchange: Exchange): string => {
  const words = memberOf(exchange.json, "message");
  return typeof words === "string" ? JSON.stringify(windowOf(words)) : "";
};
