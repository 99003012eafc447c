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

/** Faults of the connection: no answer, or one where there should be none. */
export const connectionFaults: readonly Fault[] = [
  list("hangs", "HTTP-05", "The list never answers.", slow).gives(hang),
  list("dropped", "HTTP-05", "The list drops the connection.").gives(drop),
  list("dropped-without-token", "HTTP-05", "The list drops the connection where the token is missing.", {
    also: ["AUTH-36"],
  }).gives(drop, (call) => call.headers.authorization === undefined),
  token("dropped-without-key", "HTTP-05", "The connection is dropped where the key is missing.", {
    also: ["AUTH-05"],
  }).gives(drop, (call) => call.headers["x-api-key"] === undefined),
  counterparty("hangs-on-malformed", "HTTP-05", "Malformed JSON is never answered by the registration.", slow).gives(
    hang,
    isMalformed,
  ),
  counterparty(
    "dropped-without-external-id",
    "HTTP-05",
    "A registration without an external_id drops the connection.",
  ).gives(drop, lacks("external_id")),
  operation("hangs-on-malformed", "HTTP-05", "Malformed JSON is never answered by the creation.", {
    slow: true,
    also: ["OPER-34"],
  }).gives(hang, isMalformed),
  operation("hangs-on-empty-body", "HTTP-05", "An empty body is never answered.", {
    slow: true,
    also: ["OPER-33"],
  }).gives(hang, isEmpty),
  operation("hangs-on-unknown-counterparty", "HTTP-05", "A counterparty that does not exist is never answered.", {
    slow: true,
    also: ["OPER-44"],
  }).refuses(() => hang, "counterparty"),
  operation("dropped-on-list", "HTTP-05", "A body that is a list drops the connection.", { also: ["OPER-32"] }).gives(
    drop,
    (call) => /^\s*\[/.test(call.bytes.toString()),
  ),
  operation("dropped-on-null", "HTTP-05", "A counterparty of null drops the connection.", { also: ["OPER-27"] }).gives(
    drop,
    hasNull("counterparty_id"),
  ),
  operation("dropped-when-refused", "HTTP-05", "A bad token drops the connection.", {
    also: tokenRefusals.createOperation,
  }).refuses(() => drop, "token"),
  acam("hangs-on-unknown-operation", "HTTP-05", "An item for an operation that does not exist is never answered.", {
    slow: true,
    also: ["ACAM-04"],
  }).refuses(() => hang, "operation"),
  acam("dropped", "HTTP-05", "An item drops the connection.", { also: ["ACAM-01", "ACAM-02"] }).gives(
    drop,
    (call) => call.headers.authorization !== undefined,
  ),
  batch("hangs", "HTTP-05", "The creation of a batch is never answered.", slow).gives(hang),
  batch("dropped-without-pair", "HTTP-05", "A batch without a pair drops the connection.").gives(
    drop,
    lacks("currency_pair"),
  ),

  open("served", "HTTP-07", "The port that speaks TLS serves the API in clear as well.", https).by(() => ({
    plainHttp: (_request, _response, serve) => serve(),
  })),
  open("serves-token", "HTTP-07", "The port that speaks TLS issues tokens in clear as well.", https).by(() => ({
    plainHttp: (request, response, serve) => {
      if (request.url?.endsWith("/auth/token")) serve();
      else response.writeHead(400, { "content-type": "text/html" }).end("<h1>TLS please</h1>");
    },
  })),
];
