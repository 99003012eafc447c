import type { Outcome, Run } from "../../model/run.ts";
import type { Renderer } from "../saving.ts";
import { outcomeSigns, tally, verdicts } from "../verdict-symbols.ts";
import { plain } from "../sanitize.ts";

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

type Labels = Readonly<Record<string, string>>;

/** One number of a metric. */
interface Sample {
  /** Appended to the name of the metric: `_bucket`. @defaultValue "" */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric with all its samples. */
interface Metric {
  readonly name: string;
  readonly type: "gauge" | "histogram";
  /** One sentence. It must not contain quotes and backslashes, because the two formats escape them differently. */
  readonly help: string;
  readonly samples: readonly Sample[];
}

/**
 * The metrics as a text that is valid both in the Prometheus text format 0.0.4 and in OpenMetrics 1.0: gauges and
 * classic histograms, no timestamps, no empty line, `# EOF` at the end. Metrics without samples are left out.
 */
export const expositionText = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ suffix = "", labels, value }) => `${name}${suffix}${labelText(labels)} ${value}`),
    ])
    .concat("# EOF\n")
    .join("\n");

const labelText = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",")}}`;

/** `plain` has already escaped line breaks. */
const escaped = (value: string): string => plain(value, longest).replace(/[\\"]/g, (character) => `\\${character}`);

/** Maximum length of the value of a label, in characters. */
const longest = 200;

/** How many values are at most as large as each number, the count and the sum of all. All in the unit of the bounds. */
interface Distribution {
  readonly values: readonly (readonly [atMost: number, count: number])[];
  readonly count: number;
  readonly sum: number;
}

/** The samples of a classic histogram: cumulative buckets, `+Inf`, count and sum. */
export const histogram = (
  labels: Labels,
  { values, count, sum }: Distribution,
  bounds: readonly number[],
): readonly Sample[] => [
  ...bounds.map((bound) => {
    const below = values.filter(([atMost]) => atMost <= bound).reduce((all, [, times]) => all + times, 0);
    return bucket(labels, boundText(bound), below);
  }),
  bucket(labels, "+Inf", count),
  { suffix: "_count", labels, value: count },
  { suffix: "_sum", labels, value: rounded(sum) },
];

const bucket = (labels: Labels, le: string, value: number): Sample => ({
  suffix: "_bucket",
  labels: { ...labels, le },
  value,
});

/** OpenMetrics requires a decimal place in whole numbers: `1.0`. */
const boundText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : String(bound));

/** Rounds to six decimals, to remove the rounding error of a sum of doubles. */
const rounded = (value: number): number => Number(value.toFixed(6));
