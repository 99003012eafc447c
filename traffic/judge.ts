import { createCollector } from "../engine/collector.ts";
import { createIdentities } from "../harness/judging/identities.ts";
import { judgeExchange } from "../harness/judging/judge-exchange.ts";
import { compileResponseSchemas } from "../harness/judging/response-schemas.ts";
import { standingObservations } from "../harness/judging/standing-observations.ts";
import { pairKey } from "../harness/judging/checks/listed.ts";
import { createRecorder } from "../harness/recording/recorder.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { invalid, jsonOf, valid, type Exchange, type Intent } from "../model/exchange.ts";
import type { FoundViolation } from "../model/finding.ts";
import type { Judgement } from "../model/finding.ts";
import type { ContractDocument } from "../spec/contract.ts";
import { isSameBase, matchOf } from "./addresses.ts";
import { createClientFindings } from "./client-findings.ts";
import { createFacts } from "./judging/facts.ts";
import { judgeListing } from "./judging/listing.ts";
import { createPurposeCheck, purposeRules } from "./judging/purposes.ts";
import { judgeRefusal } from "./judging/refusals.ts";
import { createInFlight } from "./in-flight.ts";
import { createMasking } from "./personal-data.ts";
import { bodyReading } from "./requests/body-rules.ts";
import { credentialRules } from "./requests/credential-rules.ts";
import type { BrokenRule } from "./requests/rule.ts";
import { createKnownMembers } from "./requests/known-members.ts";
import { compileRequestSchemas } from "./requests/schemas.ts";
import { addSecretsOf } from "./secrets.ts";
import { createShortSecrets } from "./short-secrets.ts";
import { trafficRun } from "./traffic-run.ts";
import type { TrafficEnd, TrafficOptions } from "./options.ts";
import type { Watched } from "./watched.ts";
import type { ClientFinding, Run } from "../model/run.ts";

/** Judges what others sent to one server. */
export interface TrafficJudge {
  /** What an exchange shows of the server as a whole. All of a recording is learnt before any of it is judged. */
  readonly learn: (watched: Watched) => void;
  /** False where the exchange is none of the API at this base URL. */
  readonly judge: (watched: Watched) => boolean;
  /** The result so far. */
  readonly run: (end: TrafficEnd) => Run;
  /** What must not be in any report. */
  readonly secrets: () => readonly string[];
}

/** What the judge works with besides the options. */
export interface JudgeParts {
  readonly document: ContractDocument;
  readonly baseUrl: string;
  /** Milliseconds since the epoch at which the traffic began. */
  readonly startedAt: number;
  /** Every header is there, as on the way to the server itself. @defaultValue false: an export may leave some out */
  readonly isComplete?: boolean;
  /** Called with each new kind of violation. */
  readonly onFinding?: (finding: FoundViolation) => void;
  /** Called with each new kind of finding on a client. */
  readonly onClientFinding?: (finding: ClientFinding) => void;
}

export const createTrafficJudge = (options: TrafficOptions, parts: JudgeParts): TrafficJudge => {
  const { document, baseUrl, startedAt } = parts;
  const collector = createCollector(() => undefined);
  const redaction = createRedaction();
  const masking = createMasking(document, options.keepValues);
  const shortSecrets = createShortSecrets();
  const redact = (text: string): string => masking.mask(shortSecrets.redact(redaction.redact(text)));
  const addSecret = (secret: string, label: string): void => {
    if (!shortSecrets.add(secret, label)) redaction.add(secret, label);
  };
  const recorder = createRecorder(
    (evidence) => {
      collector.take(evidence);
      for (const one of evidence) if (one.type === "finding") parts.onFinding?.(one.finding);
    },
    { ...redaction, redact },
    {},
    startedAt,
  );
  const requestSchemas = compileRequestSchemas(document);
  const knownMembers = createKnownMembers(document);
  const knowledge = { schemas: compileResponseSchemas(document), identities: createIdentities() };
  const facts = createFacts(startedAt, parts.isComplete);
  const purposes = createPurposeCheck(facts);
  const clients = createClientFindings(redact);
  const inFlight = createInFlight();
  let exchanges = 0;

  /** The exchange with what its request shows; undefined where it is none of ours. */
  const read = (
    watched: Watched,
  ): { readonly exchange: Exchange; readonly rules: readonly BrokenRule[] } | undefined => {
    const { request, response } = watched;
    const match = matchOf(request.method, request.url);
    if (match === undefined || !isSameBase(match.baseUrl, baseUrl)) return undefined;
    const { operation, offContract } = match;
    const body = watched.withoutRequestBody
      ? ({ kind: "unclear" } as const)
      : bodyReading(operation, request, requestSchemas);
    const rules = offContract
      ? []
      : [...credentialRules(operation, request.headers, facts.seen), ...(body.kind === "broken" ? body.rules : [])];
    const exchange = {
      id: exchanges,
      operation,
      intent: intentOf(rules, body.kind === "unclear"),
      scenario: watched.place.replace(/, .*$/, ""),
      request: { ...request, json: knownMembers(operation, request.json) },
      response,
      at: watched.startedAt - startedAt,
      json: jsonOf(response),
      offContract,
    };
    return { exchange, rules: [...rules, ...purposeRules(exchange, facts)] };
  };

  return {
    learn: (watched) => {
      const found = read(watched);
      if (found === undefined) return;
      const { exchange } = found;
      facts.learn(exchange);
      if (exchange.operation === "createBatch" && exchange.intent.kind === "invalid")
        knowledge.identities.sentInvalidPair(pairKey(exchange.request.json));
    },
    judge: (watched) => {
      const found = read(watched);
      if (found === undefined) return false;
      exchanges += 1;
      const { exchange, rules } = found;
      inFlight.add(exchange.at, exchange.response.took);
      addSecretsOf(watched, options.secretHeaders, addSecret);
      masking.see(exchange);
      const all = (
        isOfServer(watched)
          ? [
              ...judgeExchange(exchange, knowledge).filter((one) => isShown(one, watched)),
              ...judgeRefusal(exchange, rules, facts),
              ...purposes.judge(exchange),
              ...judgeListing(exchange, watched.startedAt, facts, knowledge.identities),
            ]
          : []
      ).filter(({ requirement }) => options.selection.includes(requirement));
      recorder.record(exchange, { id: "traffic", name: watched.place }, all);
      for (const { question, case: inCase, answer } of standingObservations(exchange))
        recorder.observe(question, inCase, answer);
      for (const finding of clients.add(exchange, rules, watched.place)) parts.onClientFinding?.(finding);
      return true;
    },
    secrets: redaction.secrets,
    run: (end) => {
      recorder.flush();
      return trafficRun(options, collector.collection(), {
        ...end,
        baseUrl,
        startedAt,
        matched: exchanges,
        peakInFlight: inFlight.peak(),
        client: clients.all(),
        notes: [...(facts.seen.tokens || exchanges === 0 ? [] : [noTokens]), ...shortSecrets.warnings()],
      });
    },
  };
};

const noTokens =
  "No request has an Authorization header, as browsers leave it out when they export: tokens are not judged.";

/** The intent that decides what the response is judged for. */
const intentOf = (rules: readonly BrokenRule[], isUnclear: boolean): Intent => {
  const [first] = rules;
  if (first !== undefined) return invalid(first.change);
  return isUnclear ? invalid("that cannot be classified") : valid;
};

/** Statuses of gateways and of throttling: no verdict on the server unless they last, which traffic does not show. */
const passing = new Set([408, 429, 502, 503, 504]);

const isOfServer = ({ response }: Watched): boolean => !passing.has(response.status);

/**
 * What the source of the traffic can show. That every request gets a response cannot fail here: those without one are
 * not judged.
 */
const isShown = ({ requirement }: Judgement, { withBytes }: Watched): boolean =>
  requirement !== "HTTP-05" && (requirement !== "HTTP-03" || withBytes);
