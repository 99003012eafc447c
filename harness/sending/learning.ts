import {
  isSuccess,
  jsonOf,
  memberOf,
  isUsableToken,
  longestToken,
  type ReceivedResponse,
  type RequestSpec,
} from "../../model/exchange.ts";
import { type Attempt, isBadCredential, isConflict, isGatewayError, presentsItsOwn, usesSession } from "./attempt.ts";
import { type RowId, type Step, requestIn, secretsOf, type Tried } from "./table.ts";
import { kindOf, type Facts } from "./facts.ts";

const mostRecent = 100;
/** Bad credentials after which servers limit a client (INT-43). */
const fewestBeforeLimit = 10;

/** The attempt with the wait that its response asks for: that of a 403 counts only where it is a limit (INT-13). */
export const throttledAs = (facts: Facts, spec: RequestSpec, attempt: Attempt): Attempt => {
  const { response } = attempt;
  if (response?.status !== 403 || attempt.wait === 0) return attempt;
  if (!presentsItsOwn(spec) && spec.intent.kind === "valid") facts.limitsWithForbidden = true;
  const isEarly = isBadCredential(spec) && facts.badCredentials < fewestBeforeLimit;
  if (isEarly && !facts.limitsWithForbidden) facts.refusesWithForbidden = true;
  const isOfBad = isBadCredential(spec) && !isEarly && !facts.refusesWithForbidden;
  return facts.limitsWithForbidden || isOfBad ? attempt : { ...attempt, wait: 0 };
};

/** Takes up what an attempt shows by itself. */
export const learn = (facts: Facts, spec: RequestSpec, attempt: Attempt): void => {
  const { response, failure } = attempt;
  if (isBadCredential(spec)) facts.badCredentials += 1;
  if (isLockOutSign(spec, attempt)) facts.lockOutSigns += 1;
  if (failure?.kind === "timeout") increase(facts.timeouts, kindOf(spec));
  if (response === undefined) return;
  facts.troubles = 0;
  if (!isGatewayError(response.status)) facts.outages = 0;
  facts.timeouts.delete(kindOf(spec));
  facts.recent = [...facts.recent.slice(1 - mostRecent), response.took];
  facts.throttledSince = attempt.wait > 0 ? (facts.throttledSince ?? attempt.at) : undefined;
  if (usesSession(spec) && response.status === 401) facts.refusedTokens += 1;
  if (isSuccess({ response })) learnSuccess(facts, spec, response);
};

const learnSuccess = (facts: Facts, spec: RequestSpec, response: ReceivedResponse): void => {
  if (spec.operation === "createToken" && !presentsItsOwn(spec)) {
    const token = memberOf(jsonOf(response), "token");
    if (isUsableToken(token) && token.length <= longestToken) facts.hasKeyWorked = true;
  }
  if (!usesSession(spec) || spec.intent.kind !== "valid") return;
  facts.hasTokenWorked = true;
  facts.isLockedOut = false;
  facts.refusing.delete(spec.operation);
  if (spec.operation === "listBatches") facts.listLength = response.body.length;
};

/**
 * Throttling, 423 or no response to bad credentials or to a valid request, or 401 or 403 to a valid one with good
 * credentials. What else flows beside bad credentials may be refused for reasons of its own.
 */
const isLockOutSign = (spec: RequestSpec, { response, wait }: Attempt): boolean => {
  const isValid = spec.intent.kind === "valid";
  if (!isValid && !isBadCredential(spec)) return false;
  if (response === undefined || wait > 0 || response.status === 423) return true;
  return isValid && !presentsItsOwn(spec) && [401, 403].includes(response.status);
};

const increase = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Rows whose pause lasts until a lock-out or a limit ends. */
const lockOuts: readonly RowId[] = ["throttled", "lock-out", "key locked out"];

/** Milliseconds: about as long as a run waits for one usual lock-out to end (INT-43). */
export const longestLockOut = 32_000;

/** Takes up what was decided for a request, and how it ended. */
export const note = (facts: Facts, spec: RequestSpec, tried: readonly Tried[], step: Step): void => {
  const led = (row: RowId): boolean => tried.some((one) => one.row === row);
  const { response, failure } = requestIn(tried) ?? {};
  if (facts.badCredentials > 0 && lockOuts.includes(step.row)) facts.waitedForBadCredentials += step.pause ?? 0;
  if (step.row === "lock-out" || step.row === "key locked out") facts.lockOutWaits += 1;
  if (step.kind === "give up") {
    if (step.isLost) facts.lost = step.reason;
    if (step.row === "put off") facts.putOff.add(secretsOf(spec));
    if (step.row === "in trouble") facts.troubles += 1;
    if (step.row === "gateway in trouble") facts.outages += 1;
    if (step.row === "silent") {
      increase(facts.silences, spec.operation);
      facts.hangs ||= failure?.kind === "timeout";
    }
  }
  if (step.kind === "deliver") {
    facts.tokensLapse ||= led("refused token") && (response?.status ?? 400) < 400;
    if (led("refused token") && response?.status === 403) increase(facts.refusedAnew, spec.operation);
    if (step.row === "cut") increase(facts.cuts, spec.operation);
    if (isGatewayError(response?.status ?? 0)) increase(facts.gatewayErrors, spec.operation);
    if (led("conflict")) facts.conflicts = isConflict(response?.status ?? 0) ? facts.conflicts + 1 : 0;
  }
  const hasEnded = step.kind === "deliver" || step.kind === "give up";
  if (hasEnded && (led("lock-out") || led("key locked out"))) {
    facts.isLockedOut = [401, 403].includes(response?.status ?? 0);
    if (facts.isLockedOut) facts.refusing.add(spec.operation);
  }
};
