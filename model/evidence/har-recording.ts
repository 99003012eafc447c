import { utf8 } from "../exchange.ts";
import type { Sent, SentRequest } from "../exchange.ts";
import { harEntry } from "../har.ts";
import { operations } from "../../spec/operations.ts";
import { addIssued } from "./issued-credentials.ts";
import { withTexts, type Redaction } from "./redaction.ts";

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
      emit(JSON.stringify(entryOf(once, redaction.pseudonymised)));
    },
  };
}

type Redact = (text: string) => string;

function entryOf({ sent, startedAt, response, failure }: SentOnce, redact: Redact): object {
  const { text, encoding } = sent.body === undefined ? {} : bodyText(sent.body, redact);
  const parts = {
    startedAt: new Date(startedAt),
    waited: response?.waited ?? 0,
    took: response?.took ?? failure?.took ?? 0,
    request: {
      ...sent,
      body: sent.body && { text, _encoding: encoding },
      bodyBytes: sent.body?.length ?? 0,
    },
    response: response && {
      ...response,
      body: { ...bodyText(response.body, redact), _defect: response.defect },
      bodyBytes: response.body.length,
    },
  };
  // `_error` is a field of our own. It says why there is no response.
  const entry = { ...harEntry(parts, asItIs), _error: failure?.message };
  return withTexts(entry, redact);
}

const asItIs = (text: string): string => text;

/**
 * The text of a body: UTF-8 as it is, other bytes in base64, with the secrets in them replaced.
 * Empty if the body is too long.
 */
function bodyText(
  body: Uint8Array,
  redact: Redact,
): { readonly text?: string; readonly encoding?: "base64" } {
  if (body.length > longestBody) return {};
  const text = utf8(body);
  if (text !== undefined) return { text };
  const bytes = Buffer.from(redact(Buffer.from(body).toString("latin1")), "latin1");
  return { text: bytes.toString("base64"), encoding: "base64" };
}
