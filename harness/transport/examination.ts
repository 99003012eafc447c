import { operationTitle, type OperationName } from "../../spec/operations.ts";
import {
  requestText,
  type Origin,
  type ReceivedResponse,
  type RequestSpec,
  type SentRequest,
} from "../../model/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import { Inconclusive } from "../scenario-errors.ts";
import type { Session } from "../session/session.ts";
import type { Attempt, Attempts } from "./attempt.ts";
import type { Availability } from "./availability.ts";
import type { Hangs } from "./hangs.ts";
import type { NetworkFailure } from "./network-failure.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Delivered, Send } from "./send.ts";

/** How many missing responses, and how many cut ones, are examined for each operation. Later ones are not. */
const mostExaminations = 3;

/** How often a request whose connection drops is sent again alone: a drop may be chance, and costs little time. */
const mostDrops = 3;

interface ExaminationParts {
  readonly hangs: Hangs;
  readonly attempts: Attempts;
  readonly availability: Availability;
  readonly rateLimiter: RateLimiter;
  readonly recorder: Recorder;
  readonly session: Session;
}

/**
 * Sends. If no response comes, or only a part of one, finds out whether the target is at fault (INT-04): sends the
 * request again on a new connection, then alone, and sends another request to see whether the target responds at all.
 */
export const createExamined = (parts: ExaminationParts): Send<Delivered> => {
  const { attempts, availability, rateLimiter, hangs } = parts;
  const examineSilence = createSilenceExamination(parts);
  const examineCut = createCutExamination(parts);

  /** Sends when the rate limiter admits it, unless the target was given up in the meantime. */
  const admitted = (spec: RequestSpec, { urgency }: Origin, fresh: boolean): Promise<Attempt> =>
    rateLimiter.admit(
      async () => {
        availability.guard();
        hangs.guard(spec);
        const attempt = await attempts.attempt(spec, fresh, hangs.timeout());
        if (attempt.response !== undefined) hangs.answered(spec, attempt.response.took);
        else if (attempt.failure.kind === "timeout") hangs.unanswered(spec);
        return attempt;
      },
      { urgency: urgency ?? 0, isCreation: changesBatches(spec.operation) },
    );

  return async (spec, origin) => {
    availability.guard();
    const first = await admitted(spec, origin, false);
    if (first.response !== undefined && isWhole(first.response)) return first;
    availability.guard();
    if (first.failure?.kind === "timeout" && hangs.isConfirmed()) throw unanswered(spec, first.failure);
    if (first.failure?.kind === "timeout") return examineSilence(spec, origin, first.failure);
    const second = await admitted(spec, origin, true);
    if (second.response === undefined) return examineSilence(spec, origin, second.failure);
    return isWhole(second.response) ? second : examineCut(spec, second);
  };
};

/** Whether its success may change what the next batch holds. */
const changesBatches = (operation: OperationName): boolean =>
  operation === "createOperation" || operation === "addAcamItem" || operation === "createBatch";

const unanswered = ({ operation }: RequestSpec, { message }: NetworkFailure): Inconclusive =>
  new Inconclusive(`${operationTitle(operation)} gave no response: ${message}`);

/** Sends again alone. HTTP-05 fails if only this request gets no response. */
const createSilenceExamination = ({ attempts, availability, rateLimiter, recorder, hangs }: ExaminationParts) => {
  const examined = new Map<OperationName, number>();
  return (spec: RequestSpec, origin: Origin, failure: NetworkFailure): Promise<Delivered> =>
    rateLimiter.alone(async () => {
      availability.guard();
      const times = examined.get(spec.operation) ?? 0;
      const isKnown = failure.kind === "timeout" && hangs.isConfirmed();
      if (times >= mostExaminations || isKnown) throw unanswered(spec, failure);
      let again = await attempts.attempt(spec, true);
      for (let drops = 1; again.failure?.kind === "dropped" && drops < mostDrops; drops += 1) {
        again = await attempts.attempt(spec, true);
      }
      if (again.response !== undefined) return again;
      availability.guard();
      if (!(await availability.respondsToControl(spec.operation))) return availability.recover(spec, again.failure);
      examined.set(spec.operation, times + 1);
      if (again.failure.kind === "timeout") hangs.confirm();
      recorder.violated("HTTP-05", origin, silence(spec, again.sent, again.failure));
      throw unanswered(spec, again.failure);
    });
};

const silence = ({ operation, intent }: RequestSpec, request: SentRequest, { kind, message }: NetworkFailure) => ({
  message: `${operationTitle(operation)} gives no response to ${requestText(intent)}.`,
  expected: "a response to every request",
  actual: `${message}; alone and on a fresh connection too, while another request was answered`,
  cause: { expected: "a response", actual: kind },
  operation,
  request,
});

/** After two cut responses, sends once more alone, because a target in trouble cuts responses too. */
const createCutExamination = ({ attempts, availability, rateLimiter, session }: ExaminationParts) => {
  /** How many examined responses of each operation were cut again. */
  const examined = new Map<OperationName, number>();
  return (spec: RequestSpec, seen: Delivered): Promise<Delivered> =>
    rateLimiter.alone(async () => {
      availability.guard();
      const times = examined.get(spec.operation) ?? 0;
      if (times >= mostExaminations) return seen;
      const again = await attempts.attempt(spec, true);
      if (again.response === undefined) return availability.recover(spec, again.failure);
      if (isWhole(again.response)) return again;
      // Without a token there is no control, but a server that cuts every response does respond.
      const hasControl = spec.operation !== "createToken" || session.current() !== undefined;
      if (hasControl && !(await availability.respondsToControl(spec.operation))) {
        throw new Inconclusive(
          `${operationTitle(spec.operation)} cut its response short, and the target answered nothing else meanwhile`,
        );
      }
      examined.set(spec.operation, times + 1);
      return again;
    });
};

const isWhole = ({ defect }: ReceivedResponse): boolean => defect?.kind !== "cut";
