import type { Outcome, Run } from "../../model/run.ts";
import type { Renderer } from "../renderer.ts";
import { outcomeSigns, tally, verdicts } from "../verdict-symbols.ts";
import { expositionText, histogram, type Metric } from "./exposition.ts";

/**
 * Metrics for the textfile collector of node_exporter and other readers of the Prometheus text format or OpenMetrics.
 * The server cannot influence the number of samples.
 */
export const metrics: Renderer = {
  file: "fxconform.prom",
  render: (run) => expositionText(metricsOf(run)),
};

const metricsOf = (run: Run): readonly Metric[] => {
  const labels = { target: run.target.baseUrl, profile: run.profile };
  const counts = tally(run.requirements);
  const gauge = (name: string, help: string, value: number | undefined): Metric => ({
    name,
    type: "gauge",
    help,
    samples: value === undefined ? [] : [{ labels, value }],
  });
  return [
    gauge("fxconform_gate_pass", "Whether the gate passes: 1 if it does, 0 if not.", Number(run.gate.pass)),
    {
      name: "fxconform_outcome",
      type: "gauge",
      help: "The outcome of the run: 1 for the one that holds, 0 for the others.",
      samples: outcomes.map((outcome) => ({ labels: { ...labels, outcome }, value: Number(outcome === run.outcome) })),
    },
    {
      name: "fxconform_requirements",
      type: "gauge",
      help: "Requirements by verdict.",
      samples: verdicts.map((verdict) => ({ labels: { ...labels, verdict }, value: counts[verdict] })),
    },
    gauge("fxconform_requests", "Requests that the run sent.", run.requests),
    gauge("fxconform_bad_credentials", "Requests with bad credentials that the run sent.", run.badCredentials),
    {
      name: "fxconform_response_seconds",
      type: "histogram",
      help: "Time from sending a request to the end of its response, by operation.",
      samples: run.latency.flatMap(({ operation, count, sum, histogram: values }) => {
        const seconds = values.map(([ms, times]) => [ms / 1000, times] as const);
        return histogram({ ...labels, operation }, { values: seconds, count, sum: sum / 1000 }, bounds);
      }),
    },
    gauge(
      "fxconform_certificate_expiry_timestamp_seconds",
      "When the certificate of the server expires, in seconds since 1970.",
      run.certificate === undefined ? undefined : secondsOf(run.certificate.expires),
    ),
    gauge(
      "fxconform_run_start_timestamp_seconds",
      "When the run started, in seconds since 1970.",
      secondsOf(run.startedAt),
    ),
    gauge("fxconform_run_duration_seconds", "How long the run took.", run.durationMs / 1000),
  ];
};

const outcomes = Object.keys(outcomeSigns) as readonly Outcome[];

/** Upper bounds of the buckets in seconds, with at most two significant digits, like the durations in `Latency`. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const secondsOf = (time: string): number => Date.parse(time) / 1000;
