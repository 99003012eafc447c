import { operations } from "../spec/operations.ts";
import { addIssued } from "./evidence/issued-credentials.ts";
import { withTexts, type Redaction } from "./evidence/redaction.ts";
import { fieldOf, utf8, type Sent, type SentRequest } from "./exchange.ts";
import type { Fields } from "./request.ts";

/** Replaces the secrets in a text. */
type Redact = (text: string) => string;

/** A request with its response or failure. `startedAt` is in milliseconds since the epoch. */
type SentOnce = Sent & { readonly sent: SentRequest; readonly startedAt: number };

/** The longest body that is recorded, in bytes. */
const longestBody = 8 * 2 ** 20;

export type HarRecording = ReturnType<typeof createHarRecording>;

/**
 * Hands each exchange to `emit` as an entry of a HAR file, on one line. A numbered name such as
 * `[token 2]` replaces each secret, so that a reader sees which requests share a secret.
 */
export function createHarRecording(emit: (entry: string) => void, redaction: Redaction) {
  return {
    record: (once: SentOnce): void => {
      const { response, sent } = once;
      const isToken = new URL(sent.url).pathname.endsWith(operations.createToken.path);
      if (response !== undefined && isToken) addIssued(response, redaction);
      const { pseudonymised } = redaction;
      emit(JSON.stringify(withTexts(harEntry(once, pseudonymised), pseudonymised)));
    },
  };
}

export type HarEntry = ReturnType<typeof harEntry>;

/**
 * An entry of a HAR file (1.2), as browsers and proxies write it. Without a response, the status is
 * 0, as in other tools. Fields of our own say why there is no response (`_error`), why a body is
 * incomplete (`_defect`), and how the body of a request is encoded (`_encoding`).
 */
function harEntry({ sent, startedAt, response, failure }: SentOnce, redact: Redact) {
  const { status = 0, statusText = "", headers = [], body, defect } = response ?? {};
  const took = response?.took ?? failure?.took ?? 0;
  const wait = Math.min(response?.waited ?? 0, took);
  const { text, encoding } = bodyText(sent.body, redact);
  const mimeTypeOf = (all: Fields): string => fieldOf(all, "content-type") ?? "";
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: took,
    request: {
      method: sent.method,
      url: sent.url,
      ...message(sent.headers, sent.body?.length ?? 0),
      queryString: URL.canParse(sent.url) ? named([...new URL(sent.url).searchParams]) : [],
      postData: sent.body && { mimeType: mimeTypeOf(sent.headers), text, _encoding: encoding },
    },
    response: {
      status,
      statusText,
      ...message(headers, body?.length ?? -1),
      content: {
        size: body?.length ?? 0,
        mimeType: mimeTypeOf(headers),
        ...bodyText(body, redact),
        _defect: defect,
      },
      redirectURL: fieldOf(headers, "location") ?? "",
    },
    cache: {},
    timings: { send: 0, wait, receive: Number((took - wait).toFixed(3)) },
    _error: failure?.message,
  };
}

const named = (fields: Fields) => fields.map(([name, value]) => ({ name, value }));

function message(headers: Fields, bodySize: number) {
  return {
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: named(headers),
    headersSize: -1,
    bodySize,
  };
}

/**
 * The text of a body: UTF-8 as it is, other bytes in base64, with the secrets in them replaced.
 * Empty if there is no body, or if it is too long.
 */
function bodyText(body: Uint8Array | undefined, redact: Redact) {
  if (body === undefined || body.length > longestBody) return {};
  const text = utf8(body);
  if (text !== undefined) return { text };
  const bytes = Buffer.from(redact(Buffer.from(body).toString("latin1")), "latin1");
  return { text: bytes.toString("base64"), encoding: "base64" };
}
