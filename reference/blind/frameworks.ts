import { all, answers, isJson, remembering, set, succeeded } from "../change.ts";
import { sentMembers } from "../endpoints.ts";
import { withPurposes } from "../faults/fault.ts";
import { bodyOf, isEmpty, membersOf } from "../faults/raw-body.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { refusing } from "../variants/variant.ts";
import { at, crash, legal, type BlindClass } from "./blind.ts";

const members = sentMembers.createOperation;

function lacksMember(call: Call): boolean {
  return members.some((name) => !(name in membersOf(call)));
}

function hasWrongType(call: Call): boolean {
  const body = membersOf(call);
  return members.some((name) => {
    const right = name === "currency_amount" ? "number" : "string";
    const value = body[name];
    return value !== undefined && value !== null && typeof value !== right;
  });
}

function messageOf({ body }: Answer): string {
  return isJson(body) ? String(body["message"]) : "";
}

function typed(type: string, text: string): (answer: Answer) => Answer {
  return set({ headers: { "content-type": type }, text });
}

/** Does not check the token of requests for the list. */
const openList: Change = (base) => ({
  tokenIn: (header, call) =>
    call.operation === "listBatches" ? "guest" : base.tokenIn(header, call),
  admitsToken: (token, call) => call.operation === "listBatches" || base.admitsToken(token, call),
});

/** Answers with 304 and no list if the list has not changed since the last request for it. */
const cachedList: Change = remembering(() => {
  let last: string | undefined;
  return answers(
    (answer, call) => call.operation === "listBatches" && succeeded(answer),
    (answer) => {
      const text = JSON.stringify(answer.body);
      const isSame = text === last;
      last = text;
      return isSame ? { status: 304, headers: { etag: '"1"' } } : answer;
    },
  );
});

const unknownMembers: Change = all(
  ...(["createCounterparty", "createOperation", "addAcamItem", "createBatch"] as const).map(
    (operation) =>
      refusing(
        operation,
        "The body has a member that is not known",
        (body) =>
          Object.keys(body).some((name) => !sentMembers[operation].some((it) => it === name)),
        400,
      ),
  ),
);

export const frameworks: BlindClass = {
  faults: [
    at.operation.fault(
      "nest-message-array",
      ["OPER-17", "OPER-20", "OPER-21", "OPER-22", "OPER-23"],
      "The message about a missing member is a list of texts.",
      at.operation.refuses("invalid", (answer, call) =>
        lacksMember(call) ? { ...answer, body: { message: [messageOf(answer)] } } : answer,
      ),
    ),
    at.operation.fault(
      "fastapi-422-wrong-type",
      ["OPER-28", "OPER-29", "OPER-30", "OPER-31"],
      "A member of a wrong type gets a 422.",
      at.operation.refuses("invalid", (answer, call) =>
        hasWrongType(call) ? { ...answer, status: 422 } : answer,
      ),
    ),
    at.acam.fault(
      "fastapi-detail-on-unknown-operation",
      ["ACAM-06", "ACAM-04"],
      "The refusal of an unknown operation has a detail and no message.",
      at.acam.refuses("operation", set({ body: { detail: "Not Found" } })),
    ),
    at.counterparty.fault(
      "problem-json-counterparty",
      ["HTTP-01", "CPTY-12"],
      "Refusals are application/problem+json without a message.",
      at.counterparty.refuses("any", (answer) => ({
        ...answer,
        headers: { ...answer.headers, "content-type": "application/problem+json" },
        body: { type: "about:blank", title: "Bad Request", detail: messageOf(answer) },
      })),
    ),
    at.batch.fault(
      "html-for-malformed-batch",
      ["HTTP-01", "HTTP-02", "BATCH-08"],
      "Malformed JSON is answered by the HTML page of the framework.",
      at.batch.refuses("malformed", typed("text/html", "<h1>Bad Request</h1>")),
    ),
    at.acam.fault(
      "text-for-empty-acam-body",
      ["HTTP-01", "HTTP-02", "ACAM-06"],
      "An empty body is refused in plain text.",
      at.acam.refuses("malformed", (answer, call) =>
        isEmpty(call) ? typed("text/plain", "Bad Request")(answer) : answer,
      ),
    ),
    at.operation.fault(
      "null-body-500",
      ["OPER-32", "HTTP-04"],
      "The body null gets a 500, because its type is object.",
      at.operation.refuses("invalid", (answer, call) => (bodyOf(call) === null ? crash : answer)),
    ),
    at.token.fault(
      "empty-body-with-type-refused",
      "AUTH-03",
      "A Content-Type without a body is refused by the reader of bodies.",
      at.token.gives(
        { status: 400, headers: {}, body: { message: "Body cannot be empty" } },
        (call) => isEmpty(call) && call.headers["content-type"] !== undefined,
      ),
    ),
    at.list.fault(
      "auth-only-on-post",
      ["AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39"],
      "The guard stands before POST alone, so the list is open.",
      openList,
    ),
    at.acam.fault(
      "failure-in-200",
      ["ACAM-03", "ACAM-01", "ACAM-02", "ACAM-05"],
      "The refusal of an operation that is not EFX is a 200 with the status error.",
      at.acam.refuses("purpose", (answer) => ({
        ...answer,
        status: 200,
        body: { message: messageOf(answer), status: "error" },
      })),
      withPurposes,
    ),
    at.list.fault(
      "list-304-again",
      ["HTTP-06", "BATCH-20", "BATCH-21", "BATCH-22"],
      "A list that did not change gets a 304, though no condition was sent.",
      cachedList,
    ),
    at.operation.fault(
      "async-throw-hangs",
      ["HTTP-05", "OPER-44"],
      "An unknown counterparty throws where nothing catches it, so no response comes.",
      at.operation.refuses("counterparty", set({ fate: "hang" })),
      { slow: true },
    ),
  ],
  variants: [
    legal(
      "extra-error-members",
      "Errors also carry the status, its name, a time and the path.",
      answers(
        ({ status }) => status >= 400,
        (answer, { path }) => ({
          ...answer,
          body: {
            ...(answer.body as object),
            statusCode: answer.status,
            error: "Refused",
            timestamp: new Date().toISOString(),
            path,
          },
        }),
      ),
    ),
    legal(
      "loud-media-type",
      "The media type is written with capitals and a quoted parameter.",
      answers(
        () => true,
        (answer) => ({
          ...answer,
          headers: { ...answer.headers, "content-type": 'Application/JSON; Charset="UTF-8"' },
        }),
      ),
    ),
    legal(
      "links-everywhere",
      "Every success carries links and metadata.",
      answers(
        (answer) => succeeded(answer),
        (answer) => ({
          ...answer,
          body: { ...(answer.body as object), _links: { self: { href: "/" } }, meta: { v: 1 } },
        }),
      ),
    ),
    legal("unknown-members-refused", "Unknown members get a 400.", unknownMembers),
    legal(
      "refusals-422",
      "Every refusal whose status is free is a 422.",
      answers(
        ({ status, refusal }, { operation }) =>
          status >= 400 &&
          (operation !== "createOperation" ||
            refusal === "amount" ||
            refusal === "pair" ||
            refusal === "counterparty"),
        set({ status: 422 }),
      ),
    ),
  ],
};
