import { decodedBody } from "../../harness/transport/body.ts";
import { parsedJson, type Fields } from "../../model/exchange.ts";
import type { Watched } from "../watched.ts";

/** An exchange as it passed through: bytes as they were sent, no more of them than are judged. */
export interface Captured {
  readonly method: string;
  /** At the target. */
  readonly url: string;
  readonly requestHeaders: Fields;
  /** Absent if it is longer than the bound for judging. */
  readonly requestBody?: Uint8Array;
  readonly status: number;
  readonly statusText: string;
  readonly responseHeaders: Fields;
  /** Before content decoding; absent if it is longer than the bound for judging. */
  readonly responseBody?: Uint8Array;
  /** Milliseconds since the epoch, from the send to the header, and to the end. */
  readonly startedAt: number;
  readonly waited: number;
  readonly took: number;
}

/** Bytes of a body above which it is not judged. */
export const longestCaptured = 4 * 2 ** 20;

/** Bytes of a body after decoding above which it is not judged. */
const longestDecoded = 32 * 2 ** 20;

/** The part of an exchange that is judged. */
export const watchedOf = (captured: Captured, number: number): Watched => {
  const { requestBody, responseBody, responseHeaders } = captured;
  const read =
    responseBody === undefined
      ? { bytes: new Uint8Array(), defect: { kind: "missing", text: "the body is too long to be judged" } as const }
      : decodedBody(Buffer.from(responseBody), responseHeaders, longestDecoded);
  const body = requestBody === undefined || requestBody.length === 0 ? undefined : requestBody;
  return {
    request: {
      method: captured.method,
      url: captured.url,
      headers: captured.requestHeaders,
      body,
      json: body && parsedJson(body),
    },
    response: {
      status: captured.status,
      statusText: captured.statusText,
      headers: responseHeaders,
      body: read.bytes,
      waited: captured.waited,
      took: captured.took,
      ...(read.defect === undefined ? {} : { defect: read.defect }),
    },
    withoutRequestBody: requestBody === undefined,
    withBytes: true,
    startedAt: captured.startedAt,
    place: `the proxy, request ${number}`,
  };
};
