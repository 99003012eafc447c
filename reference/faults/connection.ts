import type { Answer } from "../policy.ts";
import { rowsAnywhere, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { hasNull, isEmpty, isMalformed, lacks } from "./raw-body.ts";
import { tokenRefusals } from "./refusals.ts";

const drop: Answer = { status: 0, headers: {}, fate: "drop" };
const hang: Answer = { status: 0, headers: {}, fate: "hang" };

const token = rowsOf("createToken", "token-");
const counterparty = rowsOf("createCounterparty", "counterparty-");
const operation = rowsOf("createOperation", "operation-");
const acam = rowsOf("addAcamItem", "acam-");
const batch = rowsOf("createBatch", "batch-");
const list = rowsOf("listBatches", "list-");
const open = rowsAnywhere("plain-http-");

const slow = { slow: true } as const;
const https = { needs: { https: true } } as const;

/** Faults of the connection: no response, or one over plain HTTP on a TLS port. */
export const connectionFaults: readonly Fault[] = [
  list("hangs", "HTTP-05", "GET /batches never gets a response.", slow).gives(hang),
  list("dropped", "HTTP-05", "GET /batches drops the connection.").gives(drop),
  list("dropped-without-token", "HTTP-05", "GET /batches drops the connection if the token is missing.", {
    also: ["AUTH-36"],
  }).gives(drop, (call) => call.headers.authorization === undefined),
  token("dropped-without-key", "HTTP-05", "POST /auth/token drops the connection if the key is missing.", {
    also: ["AUTH-05"],
  }).gives(drop, (call) => call.headers["x-api-key"] === undefined),
  counterparty("hangs-on-malformed", "HTTP-05", "A counterparty in malformed JSON never gets a response.", slow).gives(
    hang,
    isMalformed,
  ),
  counterparty(
    "dropped-without-external-id",
    "HTTP-05",
    "A counterparty without an external_id drops the connection.",
  ).gives(drop, lacks("external_id")),
  operation("hangs-on-malformed", "HTTP-05", "An operation in malformed JSON never gets a response.", {
    slow: true,
    also: ["OPER-34"],
  }).gives(hang, isMalformed),
  operation("hangs-on-empty-body", "HTTP-05", "An empty body never gets a response.", {
    slow: true,
    also: ["OPER-33"],
  }).gives(hang, isEmpty),
  operation("hangs-on-unknown-counterparty", "HTTP-05", "A counterparty that does not exist never gets a response.", {
    slow: true,
    also: ["OPER-44"],
  }).refuses(() => hang, "counterparty"),
  operation("dropped-on-list", "HTTP-05", "A body that is an array drops the connection.", { also: ["OPER-32"] }).gives(
    drop,
    (call) => /^\s*\[/.test(call.bytes.toString()),
  ),
  operation("dropped-on-null", "HTTP-05", "A counterparty_id of null drops the connection.", {
    also: ["OPER-27"],
  }).gives(drop, hasNull("counterparty_id")),
  operation("dropped-when-refused", "HTTP-05", "A bad token drops the connection.", {
    also: tokenRefusals.createOperation,
  }).refuses(() => drop, "token"),
  acam("hangs-on-unknown-operation", "HTTP-05", "An item for an operation that does not exist never gets a response.", {
    slow: true,
    also: ["ACAM-04"],
  }).refuses(() => hang, "operation"),
  acam("dropped", "HTTP-05", "An item drops the connection.", { also: ["ACAM-01", "ACAM-02"] }).gives(
    drop,
    (call) => call.headers.authorization !== undefined,
  ),
  batch("hangs", "HTTP-05", "POST /batches never gets a response.", slow).gives(hang),
  batch("dropped-without-pair", "HTTP-05", "A batch without a pair drops the connection.").gives(
    drop,
    lacks("currency_pair"),
  ),

  open("served", "HTTP-07", "The TLS port serves the API over plain HTTP, too.", https).by(() => ({
    plainHttp: (_request, _response, serve) => serve(),
  })),
  open("serves-token", "HTTP-07", "The TLS port issues tokens over plain HTTP, too.", https).by(() => ({
    plainHttp: (request, response, serve) => {
      if (request.url?.endsWith("/auth/token")) serve();
      else response.writeHead(400, { "content-type": "text/html" }).end("<h1>TLS please</h1>");
    },
  })),
];
