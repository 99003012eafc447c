import type { RequestSpec, SentRequest } from "../../model/exchange.ts";
import type { RunSettings, Target } from "../../model/target.ts";
import type { HarRecording } from "../recording/har-recording.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { Session } from "../session/session.ts";
import type { Client, Sent } from "./client.ts";
import { createCreationBound } from "./creation-bound.ts";
import { createCredentialBound, isBadCredential } from "../session/credential-bound.ts";
import { usesSession, httpRequestOf } from "./http-request.ts";

/** One sending of a request spec, and its outcome. */
export type Attempt = { readonly sent: SentRequest; readonly at: number } & Sent;

/** Sends once, with the session's token unless the spec has its own. */
export interface Attempts {
  /**
   * `fresh`: on a new connection. Throws Inconclusive if the run may not create more, or present no more bad
   * credentials.
   * @defaultValue `timeout` in milliseconds: that of the settings
   */
  readonly attempt: (spec: RequestSpec, fresh: boolean, timeout?: number) => Promise<Attempt>;
  /** Over plain HTTP to the host and port of the base URL. */
  readonly plain: (spec: RequestSpec) => Promise<Sent>;
  /** How many requests were sent. */
  readonly requests: () => number;
  /** Milliseconds since the run started. */
  readonly elapsed: () => number;
}

export interface AttemptParts {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly client: Client;
  readonly recorder: Recorder;
  readonly userAgent: string;
  readonly recording?: HarRecording | undefined;
}

export const createAttempts = (parts: AttemptParts, session: Pick<Session, "current">): Attempts => {
  const { target, settings, client, recorder, userAgent, recording } = parts;
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const bound = createCreationBound(settings);
  const takeCredential = createCredentialBound(settings);
  let requests = 0;
  const count = (spec: RequestSpec): void => {
    requests += 1;
    recorder.sent(spec.operation, isBadCredential(spec) ? "bad credentials" : spec.intent.kind);
  };

  const once = async (spec: RequestSpec, fresh: boolean, timeout: number): Promise<Attempt> => {
    takeCredential(spec);
    bound.take(spec);
    count(spec);
    const token = usesSession(spec) ? session.current() : undefined;
    const { request, sent } = httpRequestOf(spec, target, { token, userAgent, serial: requests });
    const at = elapsed();
    const startedAt = Date.now();
    const result = await client.send(request, { fresh, timeout });
    recording?.record({ sent, startedAt, ...result });
    if (result.response !== undefined) bound.giveBack(spec, result.response);
    else recorder.recordFailure(spec.operation, result.failure.took);
    return { sent, at, ...result };
  };

  return {
    attempt: async (spec, fresh, timeout = settings.timeout) => {
      const first = await once(spec, fresh, timeout);
      if (first.response?.status !== 408 || fresh) return first;
      // A server that closes an idle connection may send 408 on it, which is not a response to the request (INT-34).
      return once(spec, true, timeout);
    },
    plain: async (spec) => {
      count(spec);
      const { request, sent } = httpRequestOf(spec, target, { token: session.current(), userAgent, serial: requests });
      const startedAt = Date.now();
      const result = await client.sendPlain(request);
      recording?.record({ sent: { ...sent, url: sent.url.replace(/^https:/, "http:") }, startedAt, ...result });
      return result;
    },
    requests: () => requests,
    elapsed,
  };
};
