import { around, isJson } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";

const drop: Answer = { status: 0, headers: {}, fate: "drop" };
const hang: Answer = { status: 0, headers: {}, fate: "hang" };

const instead = (fate: Answer, odd: (call: Call) => boolean): Change =>
  around(async (call, next) => (odd(call) ? fate : next(call)));

/** Leaves requests that were refused without the refusal. */
const afterRefusal = (fate: Answer, refused: (answer: Answer, call: Call) => boolean): Change =>
  around(async (call, next) => {
    const answer = await next(call);
    return refused(answer, call) ? fate : answer;
  });

const isMalformed = (call: Call): boolean => {
  try {
    JSON.parse(call.bytes.toString());
    return false;
  } catch {
    return call.bytes.length > 0;
  }
};

const bodyIs = (call: Call, is: (body: Record<string, unknown>) => boolean): boolean => {
  if (call.bytes.length === 0 || isMalformed(call)) return false;
  const body: unknown = JSON.parse(call.bytes.toString());
  return isJson(body) && is(body);
};

const slow = { slow: true } as const;

const token = rowsOf("createToken", "token");
const counterparty = rowsOf("createCounterparty", "counterparty");
const operation = rowsOf("createOperation", "operation");
const acam = rowsOf("addAcamItem", "acam");
const batch = rowsOf("createBatch", "batch");
const list = rowsOf("listBatches", "list");
const open = rowsOf(undefined, "plain-http");
const https = { needs: { https: true } } as const;

/** Faults of the connection: no answer, or one where there should be none. */
export const connectionFaults: readonly Fault[] = [
  list(
    "hangs",
    "HTTP-05",
    "The list never answers.",
    instead(hang, (call) => call.operation === "listBatches"),
    slow,
  ),
  list(
    "dropped",
    "HTTP-05",
    "The list drops the connection.",
    instead(drop, (call) => call.operation === "listBatches"),
  ),
  list(
    "dropped-without-token",
    "HTTP-05",
    "The list drops the connection where the token is missing.",
    instead(drop, (call) => call.operation === "listBatches" && call.headers.authorization === undefined),
    { also: ["AUTH-36"] },
  ),
  token(
    "dropped-without-key",
    "HTTP-05",
    "The connection is dropped where the key is missing.",
    instead(drop, (call) => call.operation === "createToken" && call.headers["x-api-key"] === undefined),
    { also: ["AUTH-05"] },
  ),
  counterparty(
    "hangs-on-malformed",
    "HTTP-05",
    "Malformed JSON is never answered by the registration.",
    instead(hang, (call) => call.operation === "createCounterparty" && isMalformed(call)),
    slow,
  ),
  counterparty(
    "dropped-without-external-id",
    "HTTP-05",
    "A registration without an external_id drops the connection.",
    instead(
      drop,
      (call) => call.operation === "createCounterparty" && bodyIs(call, (body) => !("external_id" in body)),
    ),
  ),
  operation(
    "hangs-on-malformed",
    "HTTP-05",
    "Malformed JSON is never answered by the creation.",
    instead(hang, (call) => call.operation === "createOperation" && isMalformed(call)),
    { slow: true, also: ["OPER-34"] },
  ),
  operation(
    "hangs-on-empty-body",
    "HTTP-05",
    "An empty body is never answered.",
    instead(hang, (call) => call.operation === "createOperation" && call.bytes.length === 0),
    { slow: true, also: ["OPER-33"] },
  ),
  operation(
    "hangs-on-unknown-counterparty",
    "HTTP-05",
    "A counterparty that does not exist is never answered.",
    afterRefusal(hang, (answer) => answer.refusal === "counterparty"),
    { slow: true, also: ["OPER-44"] },
  ),
  operation(
    "dropped-on-list",
    "HTTP-05",
    "A body that is a list drops the connection.",
    instead(drop, (call) => call.operation === "createOperation" && /^\s*\[/.test(call.bytes.toString())),
    { also: ["OPER-32"] },
  ),
  operation(
    "dropped-on-null",
    "HTTP-05",
    "A counterparty of null drops the connection.",
    instead(
      drop,
      (call) => call.operation === "createOperation" && bodyIs(call, (body) => body["counterparty_id"] === null),
    ),
    { also: ["OPER-27"] },
  ),
  operation(
    "dropped-when-refused",
    "HTTP-05",
    "A bad token drops the connection.",
    afterRefusal(drop, (answer, call) => answer.refusal === "token" && call.operation === "createOperation"),
    {
      also: ["AUTH-20", "AUTH-21", "AUTH-22", "AUTH-23"],
    },
  ),
  acam(
    "hangs-on-unknown-operation",
    "HTTP-05",
    "An item for an operation that does not exist is never answered.",
    afterRefusal(hang, (answer) => answer.refusal === "operation"),
    { slow: true, also: ["ACAM-04"] },
  ),
  acam(
    "dropped",
    "HTTP-05",
    "An item drops the connection.",
    instead(drop, (call) => call.operation === "addAcamItem" && call.headers.authorization !== undefined),
    { also: ["ACAM-01", "ACAM-02"] },
  ),
  batch(
    "hangs",
    "HTTP-05",
    "The creation of a batch is never answered.",
    instead(hang, (call) => call.operation === "createBatch"),
    slow,
  ),
  batch(
    "dropped-without-pair",
    "HTTP-05",
    "A batch without a pair drops the connection.",
    instead(drop, (call) => call.operation === "createBatch" && bodyIs(call, (body) => !("currency_pair" in body))),
  ),

  open(
    "served",
    "HTTP-07",
    "The port that speaks TLS serves the API in clear as well.",
    () => ({
      plain: (_request, _response, serve) => serve(),
    }),
    https,
  ),
  open(
    "serves-token",
    "HTTP-07",
    "The port that speaks TLS issues tokens in clear as well.",
    () => ({
      plain: (request, response, serve) => {
        if (request.url?.endsWith("/auth/token")) serve();
        else response.writeHead(400, { "content-type": "text/html" }).end("<h1>TLS please</h1>");
      },
    }),
    https,
  ),
];
