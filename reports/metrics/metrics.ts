import type { Latency, Outcome, Run } from "../../model/run.ts";
import type { Renderer } from "../saving.ts";
import { outcomeSigns, tally, verdicts } from "../verdict-symbols.ts";
import { plain } from "../sanitize.ts";

/** For the textfile collector of node_exporter and other readers. The server cannot influence the number of samples. */
export const metrics: Renderer = {
  file: "fxconform.prom",
  render: (run) => expositionText(metricsOf(run)),
};

const metricsOf = (run: Run): readonly Metric[] => {
  const labels = { target: run.target.baseUrl, profile: run.profile };
  const counts = tally(run.requirements);
  const gauge = (name: string, help: string, ...samples: readonly Sample[]): Metric => ({ name, help, samples });
  const one = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [{ labels, value }]);
  const seconds = (time = ""): number | undefined => (time === "" ? undefined : Date.parse(time) / 1000);
  return [
    gauge("gate_pass", "Whether the gate passes: 1 if it does, 0 if not.", ...one(Number(run.gate.pass))),
    gauge(
      "outcome",
      "The outcome of the run: 1 for the one that holds, 0 for the others.",
      ...outcomes.map((outcome) => ({ labels: { ...labels, outcome }, value: Number(outcome === run.outcome) })),
    ),
    gauge(
      "requirements",
      "Requirements by verdict.",
      ...verdicts.map((verdict) => ({ labels: { ...labels, verdict }, value: counts[verdict] })),
    ),
    gauge("requests", "Requests that the run sent.", ...one(run.requests)),
    gauge("bad_credentials", "Requests with bad credentials that the run sent.", ...one(run.badCredentials)),
    {
      name: "response_seconds",
      type: "histogram",
      help: "Time from sending a request to the end of its response, by operation.",
      samples: run.latency.flatMap(({ operation, ...latency }) => histogram({ ...labels, operation }, latency, bounds)),
    },
    gauge(
      "certificate_expiry_timestamp_seconds",
      "When the certificate of the server expires, in seconds since 1970.",
      ...one(seconds(run.certificate?.expires)),
    ),
    gauge(
      "run_start_timestamp_seconds",
      "When the run started, in seconds since 1970.",
      ...one(seconds(run.startedAt)),
    ),
    gauge("run_duration_seconds", "How long the run took.", ...one(run.durationMs / 1000)),
  ];
};

const outcomes = Object.keys(outcomeSigns) as readonly Outcome[];

/** Upper bounds of the buckets in seconds, with at most two significant digits, like the durations in `Latency`. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string>>;

interface Sample {
  /** Appended to the name of the metric: `_bucket`. @defaultValue "" */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric with all its samples. Its name is without `fxconform_`. */
interface Metric {
  readonly name: string;
  /** @defaultValue "gauge" */
  readonly type?: "histogram";
  /** One sentence. It must not contain quotes and backslashes, because the two formats escape them differently. */
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Valid in the Prometheus text format 0.0.4 and in OpenMetrics 1.0: no timestamps, `# EOF` at the end. */
export const expositionText = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type = "gauge", help, samples }) => [
      `# HELP fxconform_${name} ${help}`,
      `# TYPE fxconform_${name} ${type}`,
      ...samples.map(({ suffix = "", labels, value }) => `fxconform_${name}${suffix}${labelText(labels)} ${value}`),
    ])
    .concat("# EOF\n")
    .join("\n");

const labelText = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",")}}`;

/** `plain` has already escaped line breaks. */
const escaped = (value: string): string => plain(value, longest).replace(/[\\"]/g, (character) => `\\${character}`);

const longest = 200;

/** The samples of a classic histogram in seconds: cumulative buckets, `+Inf`, count and sum. */
export const histogram = (
  labels: Labels,
  { histogram: values, count, sum }: Pick<Latency, "histogram" | "count" | "sum">,
  bounds: readonly number[],
): readonly Sample[] => {
  const bucket = (le: string, value: number): Sample => ({ suffix: "_bucket", labels: { ...labels, le }, value });
  return [
    ...bounds.map((bound) => {
      const below = values.filter(([ms]) => ms / 1000 <= bound).reduce((all, [, times]) => all + times, 0);
      // OpenMetrics requires a decimal place in whole numbers.
      return bucket(Number.isInteger(bound) ? `${bound}.0` : String(bound), below);
    }),
    bucket("+Inf", count),
    { suffix: "_count", labels, value: count },
    // Six decimals, to remove the rounding error of a sum of doubles.
    { suffix: "_sum", labels, value: Number((sum / 1000).toFixed(6)) },
  ];
};
