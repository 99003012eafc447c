import { conclude, type Circumstances } from "../../model/conclusion/conclude.ts";
import type { OfflineOptions } from "../../model/run-options.ts";
import { beginningOf } from "../version.ts";
import { recordedVerdictOn } from "../../harness/judging/refusal.ts";
import { standingObservations } from "../../harness/judging/observations.ts";
import { createRecorder } from "../../model/evidence/recorder.ts";
import { withoutUserinfo } from "../../model/evidence/issued-credentials.ts";
import { type Redaction, withTexts } from "../../model/evidence/redaction.ts";
import { fieldOf } from "../../model/exchange.ts";
import { plural } from "../../model/plural.ts";
import type { Judgement } from "../../model/mistake.ts";
import { untestedBy } from "../../model/conclusion/outcome.ts";
import type { Run, ClientFinding } from "../../model/run.ts";
import type { ContractDocument } from "../../spec/contract.ts";
import type { Learnt } from "./reading.ts";
import { createMasking, addSecretsOf } from "./hidden-values.ts";
import { matchOf, type WatchedExchange } from "./watched.ts";
import type { Fields } from "../../model/request.ts";

export interface TrafficOptions extends OfflineOptions {
  /** Whether the report shows names, addresses, account numbers and the like unmasked. */
  readonly keepValues: boolean;
  /** Further headers whose values are secrets, by their names in small letters. */
  readonly secretHeaders: readonly string[];
}

/** What is known of recordings before they are judged. */
interface RecordingParts {
  readonly document: ContractDocument;
  readonly baseUrl: string;
  /** When the traffic began and ended, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly learnt: Learnt;
  readonly redaction: Redaction;
  /** Why there is nothing to judge, if no exchange belongs to the API at this address. */
  readonly nothing: string;
}

/**
 * Judges what is recorded: each entry is an exchange, or in words why it is left out. So is an
 * exchange whose request does not belong to the API at this address.
 */
export async function judgeTraffic(
  options: TrafficOptions,
  { document, baseUrl, startedAt, endedAt, learnt, redaction, nothing }: RecordingParts,
  entries: AsyncIterable<WatchedExchange | string>,
): Promise<Run> {
  const masking = createMasking(document, options.keepValues);
  const redact = (text: string): string => withoutUserinfo(masking.mask(redaction.redact(text)));
  const recorder = createRecorder({
    redaction: { ...redaction, redact },
    replayCommand: options.replayCommand,
    started: startedAt,
  });
  const clients = new Map<string, ClientFinding>();
  const unjudged = new Map<string, number>();
  const bodies = new Map<string, number>();
  let exchanges = 0;
  let withoutBody = 0;
  for await (const watched of entries) {
    if (typeof watched === "string") {
      count(unjudged, watched);
      continue;
    }
    const match = matchOf(watched.request);
    if (match?.baseUrl !== baseUrl) {
      count(unjudged, "for another address or path");
      continue;
    }
    const { defect } = watched.response;
    if (defect?.kind === "missing") count(bodies, defect.text);
    const read = learnt.read(watched, match);
    const exchange = { ...read.exchange, id: exchanges, at: read.exchange.at - startedAt };
    exchanges += 1;
    if (read.isBodyUnknown) withoutBody += 1;
    addSecretsOf(exchange, options.secretHeaders, exchange.operation === "createToken", redaction);
    masking.see(exchange);
    recorder.received(exchange.operation, exchange.response.status);
    const judged = judgementsOn(watched, read, learnt, options);
    recorder.record(exchange, { id: "traffic", name: watched.place }, judged);
    for (const { question, case: inCase, answer } of standingObservations(exchange))
      recorder.observe(question, inCase, answer);
    for (const { change } of isOfRun(exchange.request.headers) ? [] : read.rules) {
      const { operation } = exchange;
      const key = `${operation} ${change}`;
      const known = clients.get(key) ?? {
        operation,
        text: redact(change),
        example: watched.place,
        count: 0,
      };
      if (known.count > 0 || clients.size < mostKinds)
        clients.set(key, { ...known, count: known.count + 1 });
    }
  }
  const draft = recorder.evidence();
  const circumstances: Circumstances = {
    ...beginningOf(startedAt),
    profile: "traffic",
    target: { baseUrl },
    durationMs: Math.max(0, Math.round(endedAt - startedAt)),
    requests: exchanges,
    wanted: options.selection,
    skippedBy: (_, asked) => (asked === 0 ? "traffic" : undefined),
    end: { interrupted: false, untested: untestedBy(exchanges === 0 ? nothing : undefined, []) },
    // k6 Studio writes 0 for every time, which is left out here as it was not measured.
    latency: draft.latency.filter(({ max }) => max > 0),
    client: [...clients.values()],
    warnings: [
      ...(learnt.seen.tokens || exchanges === 0 ? [] : [noTokens]),
      ...redaction.warnings(),
      ...(withoutBody === 0 ? [] : [noBodiesText(withoutBody)]),
      ...[...unjudged].map(([why, n]) => `${plural(n, "entry", "entries")} not judged: ${why}.`),
      ...[...bodies].map(
        ([why, n]) => `${plural(n, "response body", "response bodies")} not judged: ${why}.`,
      ),
      ...draft.warnings,
    ],
  };
  const run = conclude(draft, circumstances, options);
  // Texts are redacted again: further secrets may have become known since a text was kept, and
  // the mask of a value may equal a secret.
  return withTexts(run, (text) => withoutUserinfo(redaction.redact(text)));
}

/** Counts one more of something. */
export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function judgementsOn(
  watched: WatchedExchange,
  { exchange, rules }: ReturnType<Learnt["read"]>,
  learnt: Learnt,
  { selection }: TrafficOptions,
): readonly Judgement[] {
  if (passing.has(watched.response.status)) return [];
  // k6 Studio writes 0 for every time. Then rules that need times judge nothing.
  const shown = learnt.rules
    .judge(exchange, watched.startedAt > 0)
    .filter(({ requirement }) => requirement !== "HTTP-03" || watched.withBytes);
  // Where a run would send a further request, a recording has no verdict.
  const refusals =
    rules.length === 0
      ? []
      : recordedVerdictOn(rules, exchange, learnt.refusesValidAlike(exchange));
  return [...shown, ...refusals].filter(({ requirement }) => selection.includes(requirement));
}

function noBodiesText(count: number): string {
  return `${plural(count, "request")} whose body this recording does not have: the response is judged only by what holds even for invalid requests.`;
}

const noTokens =
  "No request has an Authorization header, as browsers leave it out when they export: tokens are not judged.";

/**
 * Statuses of gateways and of throttling. Responses with them are not judged: only a repeated
 * request would show whether they last, and requests of others cannot be repeated.
 */
const passing = new Set([408, 429, 502, 503, 504]);

/** How many kinds of mistakes of clients are listed. */
const mostKinds = 200;

/**
 * Whether fxconform itself sent a request. The rules that its requests break are no mistakes of a
 * client, because runs break rules on purpose.
 */
function isOfRun(headers: Fields): boolean {
  return fieldOf(headers, "user-agent")?.startsWith("fxconform/") === true;
}
