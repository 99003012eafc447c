import { utf8, isUsableToken } from "../exchange.ts";
import type { Sent, SentRequest } from "../exchange.ts";
import { harEntry } from "../har.ts";
import type { Secret, SecretKind } from "../target.ts";
import { operations } from "../../spec/operations.ts";
import { addIssued } from "./credentials.ts";
import { type Redaction, createRedaction } from "./redaction.ts";

/** A request with its response or failure. `startedAt` is in milliseconds since the epoch. */
type SentOnce = Sent & { readonly sent: SentRequest; readonly startedAt: number };

/** The longest body that is recorded, in bytes. */
const longestBody = 8 * 2 ** 20;

export type HarRecording = ReturnType<typeof createHarRecording>;

/**
 * Hands each exchange to `emit` as an entry of a HAR file, on one line. A numbered name such as
 * `[token 2]` replaces each secret, so that a reader sees which requests share a secret. `known`:
 * the secrets of the configuration; `own`: the other texts of the configuration.
 */
export function createHarRecording(
  emit: (entry: string) => void,
  known: readonly Secret[] = [],
  own: readonly string[] = [],
) {
  const pseudonyms = createRedaction(undefined, [], own);
  const learnt = new Set<string>();
  const counts = new Map<string, number>();
  const learn = (secret: string, kind: SecretKind): void => {
    if (secret === "" || learnt.has(secret)) return;
    learnt.add(secret);
    // A token that does not fit into a header must get a pseudonym that does not fit either.
    const name = kind === "token" && !isUsableToken(secret) ? "unusable token" : kind;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    pseudonyms.add(secret, `${name} ${number}`);
  };
  for (const { value, kind } of known) learn(value, kind);
  return {
    record: (once: SentOnce): void => {
      const { response } = once;
      if (
        response !== undefined &&
        new URL(once.sent.url).pathname.endsWith(operations.createToken.path)
      )
        addIssued(response, {
          add: (value, _, kind = "token") => learn(value, kind),
          isOwn: pseudonyms.isOwn,
        });
      emit(JSON.stringify(entryOf(once, pseudonyms.redact)));
    },
    /**
     * The redaction, extended: each secret that is added to it becomes known to the recording too.
     */
    learning: (redaction: Redaction): Redaction => ({
      ...redaction,
      add: (secret, label, kind = "token") => {
        learn(secret, kind);
        redaction.add(secret, label);
      },
    }),
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
  return { ...harEntry(parts, redact), _error: failure && redact(failure.message) };
}

/**
 * The text of a body: UTF-8 as it is, other bytes in base64, with secrets replaced in both. Empty
 * if the body is too long.
 */
function bodyText(
  body: Uint8Array,
  redact: Redact,
): { readonly text?: string; readonly encoding?: "base64" } {
  if (body.length > longestBody) return {};
  const text = utf8(body);
  if (text !== undefined) return { text: redact(text) };
  const bytes = Buffer.from(redact(Buffer.from(body).toString("latin1")), "latin1");
  return { text: bytes.toString("base64"), encoding: "base64" };
}
