import { defined } from "../model/defined.ts";
import type { Collection } from "../engine/collector.ts";
import { toolVersion, newRunId } from "../engine/version.ts";
import { notJudged } from "../engine/judgements.ts";
import { conclusionOf } from "../model/conclusion.ts";
import { untestedBy, requirementResults, type RequirementEvidence } from "../model/outcome.ts";
import { formatVersion, type ClientFinding, type Run } from "../model/run.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import type { TrafficEnd, TrafficOptions } from "./options.ts";

/** What was judged, apart from the evidence. */
interface JudgedTraffic extends TrafficEnd {
  readonly baseUrl: string;
  readonly startedAt: number;
  /** Exchanges of the API. */
  readonly matched: number;
  readonly peakInFlight: number;
  readonly client: readonly ClientFinding[];
  readonly notes: readonly string[];
}

/** The judged traffic as `report.json` has it. */
export const trafficRun = (options: TrafficOptions, collection: Collection, traffic: JudgedTraffic): Run => {
  const { startedAt, matched, client } = traffic;
  const requirements = requirementResults(evidenceOf(options, collection));
  const scope = { profile: "traffic", ...defined({ selection: options.selected }) } as const;
  const started = new Date(startedAt).toISOString();
  // k6 Studio has 0 in the place of every time.
  const latency = collection.latency.filter(({ max }) => max > 0);
  const evidence = {
    requirements,
    ...scope,
    interrupted: false,
    latency,
    ...defined({ untested: matched === 0 ? untestedBy(traffic.nothing, []) : undefined }),
  };
  const today = new Date().toISOString().slice(0, 10);
  const rules = { ...options, today };
  const conclusion = conclusionOf(evidence, collection.observations, rules);
  return {
    formatVersion,
    tool: { name: "fxconform", version: toolVersion() },
    specification: { version: "beta" },
    runId: newRunId(),
    target: { baseUrl: traffic.baseUrl },
    ...scope,
    seed: 0,
    runs: 0,
    startedAt: started,
    durationMs: Math.max(0, Math.round(traffic.endedAt - startedAt)),
    requests: matched,
    peakInFlight: traffic.peakInFlight,
    ...conclusion,
    ...(options.given === undefined ? {} : { settings: options.given }),
    requirements,
    observations: collection.observations,
    latency,
    exchanges: collection.exchanges,
    created: [],
    createdCounts: {},
    client,
    withheld: [],
    warnings: [...traffic.notes, ...traffic.warnings, ...collection.warnings, ...conclusion.warnings],
  };
};

const evidenceOf = (
  options: TrafficOptions,
  collection: Collection,
): ReadonlyMap<RequirementId, RequirementEvidence> => {
  const selected = new Set(options.selection);
  return new Map(
    requirementIds.map((id): [RequirementId, RequirementEvidence] => {
      const judged = collection.judged.get(id) ?? notJudged;
      const skippedBy = selected.has(id) ? (judged.asked === 0 ? "traffic" : undefined) : "selection";
      return [id, { ...judged, ...defined({ skippedBy }) }];
    }),
  );
};
