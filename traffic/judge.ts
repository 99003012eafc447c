import { createCollector } from "../engine/collector.ts";
import { judgeRefusal, type BrokenRule, type Shown } from "../harness/judging/rules/refusals.ts";
import { standingObservations } from "../harness/judging/standing-observations.ts";
import { createRecorder } from "../harness/recording/recorder.ts";
import type { Redaction } from "../harness/recording/redaction.ts";
import type { Judgement } from "../model/finding.ts";
import { isSuccess, type Exchange } from "../model/exchange.ts";
import type { ContractDocument } from "../spec/contract.ts";
import { baseKeyOf, matchOf, type Match } from "./addresses.ts";
import { createClientFindings } from "./client-findings.ts";
import type { Learnt } from "./judging/learnt.ts";
import { createMasking } from "./personal-data.ts";
import { addSecretsOf } from "./secrets.ts";
import { trafficRun } from "./traffic-run.ts";
import type { TrafficEnd, TrafficOptions } from "./options.ts";
import type { Watched } from "./watched.ts";
import type { Run } from "../model/run.ts";
import { withTexts } from "../harness/recording/run-texts.ts";

/** Judges what others sent to one server. */
export interface TrafficJudge {
  /** False if the request is not one of the API at this base URL. */
  readonly judge: (watched: Watched) => boolean;
  /** The result so far. */
  readonly run: (end: TrafficEnd) => Run;
  /** The secrets, which must not be in any report. */
  readonly secrets: () => readonly string[];
}

/** What the judge needs besides the options. */
export interface JudgeParts {
  readonly document: ContractDocument;
  readonly baseUrl: string;
  /** Milliseconds since the epoch at which the traffic began. */
  readonly startedAt: number;
  /** What the exchanges show together. */
  readonly learnt: Learnt;
  /** Knows the secrets of all exchanges. */
  readonly redaction: Redaction;
}

export const createTrafficJudge = (options: TrafficOptions, parts: JudgeParts): TrafficJudge => {
  const { document, baseUrl, startedAt, learnt, redaction } = parts;
  const collector = createCollector(options);
  const masking = createMasking(document, options.keepValues);
  /** Texts of the exchange that is judged, as they are reported: a body is kept for each requirement that it shows. */
  const redacted = new Map<string, string>();
  const redact = (text: string): string => {
    const known = redacted.get(text);
    if (known !== undefined) return known;
    const result = masking.mask(redaction.redact(text));
    redacted.set(text, result);
    return result;
  };
  const recorder = createRecorder(collector.take, { ...redaction, redact }, {}, startedAt);
  const clients = createClientFindings(redact);
  /** When the requests that are in flight end, and the most of them at once. */
  let ends: readonly number[] = [];
  let peakInFlight = 0;
  const base = baseKeyOf(baseUrl);
  let exchanges = 0;

  /** The operation of a request; undefined if the request is not one of this API. */
  const matched = (watched: Watched): Match | undefined => {
    const match = matchOf(watched.request.method, watched.request.url);
    if (match === undefined || baseKeyOf(match.baseUrl) !== base) return undefined;
    return isRefusedPlainly(watched, baseUrl) ? { ...match, exemptBy: "INT-10" } : match;
  };

  return {
    judge: (watched) => {
      const match = matched(watched);
      if (match === undefined) return false;
      const { exchange: read, rules } = learnt.read(watched, match);
      const exchange = { ...read, id: exchanges, at: read.at - startedAt };
      exchanges += 1;
      ends = [...ends.filter((end) => end > exchange.at), exchange.at + exchange.response.took];
      peakInFlight = Math.max(peakInFlight, ends.length);
      addSecretsOf(exchange, options.secretHeaders, redaction.add);
      masking.see(exchange);
      redacted.clear();
      const all = (
        isOfServer(watched)
          ? [
              // k6 Studio has 0 in the place of every time.
              ...learnt.rules.judge(read, watched.startedAt > 0).filter((one) => isShown(one, watched)),
              ...refusalsIn(exchange, rules, learnt),
            ]
          : []
      ).filter(({ requirement }) => options.selection.includes(requirement));
      recorder.record(exchange, { id: "traffic", name: watched.place }, all);
      for (const { question, case: inCase, answer } of standingObservations(exchange))
        recorder.observe(question, inCase, answer);
      clients.add(exchange, rules, watched.place);
      return true;
    },
    secrets: redaction.secrets,
    run: (end) => {
      recorder.flush();
      const run = trafficRun(options, collector.collection(), {
        ...end,
        baseUrl,
        startedAt,
        matched: exchanges,
        peakInFlight,
        client: clients.all(),
        notes: [...(learnt.seen.tokens || exchanges === 0 ? [] : [noTokens]), ...redaction.warnings()],
      });
      // Other secrets may have become known since a text was kept, and a masked value may equal one.
      return withTexts(run, redaction.redact);
    },
  };
};

/** What the recording shows of a request that breaks rules; its other requests are the control. */
const refusalsIn = (
  exchange: Exchange,
  rules: readonly BrokenRule[],
  { refusesValidAlike }: Learnt,
): readonly Judgement[] => {
  const isAlike = refusesValidAlike(exchange);
  const control: readonly Shown[] = isAlike === undefined ? [] : [{ of: "control", isAlike }];
  const answer = judgeRefusal(rules, [{ of: "request", exchange }, ...control]);
  return answer.kind === "judged" ? answer.judgements : [];
};

const noTokens =
  "No request has an Authorization header, as browsers leave it out when they export: tokens are not judged.";

/**
 * HTTP servers refuse plain HTTP on a port for TLS before the API gets the request: its rules do not apply to such a
 * refusal.
 */
const isRefusedPlainly = ({ request, response }: Watched, baseUrl: string): boolean =>
  !isSuccess({ response }) && baseUrl.startsWith("https:") && request.url.startsWith("http:");

/** Statuses of gateways and of throttling: only repeated requests, which traffic lacks, show whether they last. */
const passing = new Set([408, 429, 502, 503, 504]);

const isOfServer = ({ response }: Watched): boolean => !passing.has(response.status);

const isShown = ({ requirement }: Judgement, { withBytes }: Watched): boolean => requirement !== "HTTP-03" || withBytes;
