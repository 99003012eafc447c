import { pause } from "../../harness/sending/turns.ts";
import { addIssued } from "../../model/evidence/issued-credentials.ts";
import {
  isSuccess,
  isUsableToken,
  jsonOf,
  type Exchange,
  type ReceivedResponse,
} from "../../model/exchange.ts";
import { unusual } from "../../model/request.ts";
import { memberOf } from "../../spec/json.ts";
import { defined } from "../../model/defined.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { amountSupply } from "../resources/amounts.ts";
import { changed, specOf, wordsOf, type Change, type Request } from "./changes.ts";
import { orNothing } from "../../harness/errors.ts";
import { together } from "../run/concurrency.ts";
import type { ScenarioCore } from "../run/context.ts";
import { presentBad, type BadCredential, type Guarded } from "./bad-credentials.ts";
import { observing, observingStatus } from "../run/observing.ts";
import { designedVerbs } from "./designed.ts";
import { creatingOf, requestsOf } from "./resources.ts";
import { holdsForAll, type Property } from "./samples.ts";

export type Context = ReturnType<typeof contextOf>;

/** Makes everything that a scenario works with. A scenario takes the members that it uses. */
export function contextOf(core: ScenarioCore) {
  const { run } = core;
  const { sender, runId } = run;
  const amount = amountSupply(core);
  return {
    ...core,
    ...creatingOf(core, amount),
    ...requestsOf(core, amount),
    ...sendingOf(core),
    ...designedVerbs(core),
    /** The id of the run: eight letters and digits, for values that must be unique. */
    runId,
    /** Presents bad credentials, as carefully as is needed with servers that lock clients out. */
    presentBad: (guarded: Guarded, rows: readonly BadCredential[]): Promise<void> =>
      presentBad(core, guarded, rows),
    /** Returns the token that the session uses now. */
    token: sender.session.token,
    /** Whether the target has given something this id, of whatever kind. */
    isGiven: sender.isGiven,
    /** Returns the largest number of batches that a list has shown in this run. */
    mostListed: sender.mostListed,
    /** Waits until all tasks have ended, even if one fails. Then throws the first failure. */
    together,
    /**
     * The result of a task. Undefined if a precondition of the task could not be reached, so that the
     * scenario can go on without the result.
     */
    attempt: orNothing,
    /** Waits for this many milliseconds, or until the run is stopped. */
    pause: (wait: number): Promise<void> => pause(wait, run.signal),
    /**
     * Sends samples, several at once, and shrinks the first that breaks a rule. Ends at the first
     * request without a response.
     */
    forAll: <T>(property: Property<T>): Promise<void> => holdsForAll(core, property),
    /** Returns a new amount from the middle of the configured range, unlike the earlier ones. */
    amount,
  };
}

/** Sends a request, with a change if there is one. Throws Inconclusive if no response comes. */
type Send = (request: Request, change?: Change) => Promise<Exchange>;

function sendingOf(core: ScenarioCore) {
  const delivered = async (request: Request): Promise<Exchange> => {
    if (request.since !== undefined) await core.knownSince(request.since);
    return core.send(specOf(request));
  };
  const send: Send = (request, change) => delivered(changed(request, change));
  return {
    send,
    /**
     * Sends a changed request that must be refused: with `status`, or with any 4xx if none is given.
     * If the requirement need not be judged, sends nothing and returns undefined.
     */
    refused: async (
      request: Request,
      change: Change,
      requirement: RequirementId,
      status?: 400 | 401,
    ): Promise<Exchange | undefined> => {
      if (!core.wants(requirement)) return undefined;
      const wrong = changed(request, change);
      const refusal = { requirement, ...defined({ status, control: wrong.again }) };
      const spec = { ...wrong, refusal };
      return delivered(change.case === undefined ? spec : observingStatus(spec, change.case));
    },
    /**
     * Sends a valid request. If it is refused, sends it again within the grace period. Throws
     * Inconclusive if no response is a success.
     */
    succeed: (request: Request): Promise<Exchange> => core.succeed(specOf(request)),
    /** Performs a task that sends several requests in a row, while nothing else is in flight. */
    alone: <T>(task: (send: Send) => Promise<T>): Promise<T> =>
      core.alone((sendAlone) =>
        task((request, change) => sendAlone(specOf(changed(request, change)))),
      ),
    /**
     * Sends a request over plain HTTP to the port of the base URL. If the response has a token, the
     * session goes on with this token. Returns undefined if no response comes.
     */
    sendPlainly: async (request: Request): Promise<ReceivedResponse | undefined> => {
      const { sender, redaction } = core.run;
      const { response } = await sender.sendPlain(specOf(request));
      if (response === undefined || request.operation !== "createToken" || !isSuccess({ response }))
        return response;
      addIssued(response, redaction);
      const token = memberOf(jsonOf(response), "token");
      if (isUsableToken(token)) sender.session.adopt(token);
      return response;
    },
    /** Sends the request of an exchange once more. */
    sendAgain: (exchange: Exchange): Promise<Exchange> => {
      const { operation, request } = exchange;
      const body = request.json ?? null;
      return core.send({
        operation,
        ...core.run.sender.specOf(exchange),
        intent: unusual("sent a second time"),
        body,
      });
    },
    /**
     * Sends a request that the specification lets a server accept or refuse, and observes which of
     * the two the server does.
     */
    observed: async (
      request: Request,
      change: Change,
      question: QuestionId,
      inCase = wordsOf(change),
    ): Promise<Exchange> => {
      const exchange = await delivered(observedAs(request, change, question, inCase));
      if (exchange.response.status >= 500)
        for (const part of change.parts ?? [])
          await delivered(observedAs(request, part, question, wordsOf(part)));
      return exchange;
    },
  };
}

/** The request with a change whose answer is observed as one to a question. */
function observedAs(
  request: Request,
  change: Change,
  question: QuestionId,
  inCase: string,
): Request {
  const watched = observing(changed(request, change), question, inCase);
  const { breaksNoRule, mayBeAltered } = change;
  const isWrong = breaksNoRule !== true && mayBeAltered !== true;
  const statusCase = change.case ?? (isWrong ? "a body that breaks a rule" : undefined);
  return statusCase === undefined ? watched : observingStatus(watched, statusCase);
}
