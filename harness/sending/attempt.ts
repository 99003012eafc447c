import type { RequestSpec, Sent, SentRequest, ReceivedResponse } from "../../model/exchange.ts";
import type { RunSettings, Target } from "../../model/target.ts";
import type { HarRecording } from "../../model/evidence/har-recording.ts";
import type { Recorder } from "../../model/evidence/recorder.ts";
import type { Client } from "./client.ts";
import { httpRequestOf, presentsItsOwn } from "./http-request.ts";
import { throttlingWait } from "./throttling.ts";
import { Inconclusive, BadCredentialsSpent } from "../errors.ts";

/** One sending of a request spec: as it went out, and the response or the failure. */
export type Attempt = Sent &
  How & {
    readonly sent: SentRequest;
    /** Milliseconds since the run started at which it was sent. */
    readonly at: number;
    /** Milliseconds that a response asks to wait; 0 if it does not throttle. */
    readonly wait: number;
  };

/** 409 Conflict, 423 Locked, 425 Too Early. */
export const isConflict = (status: number): boolean => [409, 423, 425].includes(status);
/** 502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout. */
export const isGatewayError = (status: number): boolean => [502, 503, 504].includes(status);

/** Whether there is no response yet that counts: the request will probably be sent again, or was not read in full. */
export const putsOff = (attempt: Attempt): attempt is Attempt & { readonly response?: undefined } => {
  const { response, wait, isFresh } = attempt;
  if (response === undefined || wait > 0 || response.defect?.kind === "cut") return true;
  return isGatewayError(response.status) || isConflict(response.status) || (response.status === 408 && !isFresh);
};

export interface How {
  readonly token?: string | undefined;
  readonly isFresh: boolean;
  /** Over plain HTTP, to the host and port of the base URL. @defaultValue false */
  readonly isPlain?: boolean;
  /** On the connection that other requests do not use. @defaultValue false */
  readonly isSpare?: boolean;
  readonly isAlone: boolean;
  readonly timeout: number;
}

export interface AttemptParts {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly client: Client;
  readonly recorder: Recorder;
  readonly userAgent: string;
  readonly recording?: HarRecording | undefined;
}

export type Attempts = ReturnType<typeof createAttempts>;

export const createAttempts = ({ target, settings, client, recorder, userAgent, recording }: AttemptParts) => {
  const started = performance.now();
  const bounds = createBounds(settings);
  let requests = 0;
  return {
    /** Milliseconds since the run started. */
    elapsed: (): number => performance.now() - started,
    /** Throws Inconclusive if the run may not create more, or present no more bad credentials. */
    send: async (spec: RequestSpec, how: How): Promise<Attempt> => {
      bounds.take(spec);
      requests += 1;
      const kind = isBadCredential(spec) ? "bad credentials" : spec.intent.kind;
      recorder.emit({ type: "sent", operation: spec.operation, kind });
      const { request, sent } = httpRequestOf(spec, target, { token: how.token, userAgent, serial: requests });
      const url = how.isPlain === true ? sent.url.replace(/^https:/, "http:") : sent.url;
      const at = performance.now() - started;
      const startedAt = Date.now();
      const result = await client.send(request, how);
      recording?.record({ sent: { ...sent, url }, startedAt, ...result });
      if (result.response !== undefined) bounds.giveBack(spec, result.response);
      const wait = result.response === undefined ? 0 : throttlingWait(result.response, Date.now());
      return { sent, at, wait, ...how, ...result };
    },
  };
};

/** Most requests of a run that may succeed in creating something; a run with the default options needs fewer. */
export const mostCreations = ({ profile, selection, runs }: RunSettings): number =>
  profile === "smoke" ? 0 : Math.min(400 + 10 * runs, selection.length * (100 + 4 * runs));

/** Keeps a run to the creations that it announced, and to the bad credentials that the user allows. */
export const createBounds = (settings: RunSettings) => {
  const { profile, maxBadCredentials = Infinity } = settings;
  const most = mostCreations(settings);
  let [creations, badCredentials] = [most, maxBadCredentials];
  return {
    /** Called before a request is sent. Throws Inconclusive if it could be one too many. */
    take: (spec: RequestSpec): void => {
      if (profile === "smoke") guard(spec);
      if (isBadCredential(spec) && badCredentials-- <= 0) throw new BadCredentialsSpent(maxBadCredentials);
      if (creates(spec) && creations-- <= 0)
        throw new Inconclusive(`this run has created as much as it announced (${most}); raise --runs`);
    },
    /** Called with the response: a refused request created nothing. */
    giveBack: (spec: RequestSpec, { status }: ReceivedResponse): void => {
      if (creates(spec) && status >= 400 && status < 500) creations += 1;
    },
  };
};

const creates = ({ operation }: Pick<RequestSpec, "operation">): boolean =>
  operation !== "createToken" && operation !== "listBatches";

/** Whether a request presents a key or token that must be refused, or none. */
export const isBadCredential = (spec: RequestSpec): boolean => presentsItsOwn(spec) && spec.intent.kind === "invalid";

/** Throws for a request that the profile `smoke` must not send: an internal error, never a failure of the target. */
const guard = ({ operation, method }: RequestSpec): void => {
  if (creates({ operation }) || method !== undefined)
    throw new Error(`the profile smoke does not allow ${method ?? "the request"} of ${operation}`);
};
