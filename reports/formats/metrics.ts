import type { Latency } from "../../model/run.ts";
import type { Renderer } from "../saving.ts";
import { outcomeSigns, tally, verdicts } from "../verdict-symbols.ts";
import { plain } from "../sanitize.ts";

/**
 * Metrics for the textfile collector of node_exporter and other readers. They are valid both in the
 * Prometheus text format 0.0.4 and in OpenMetrics 1.0, and have no timestamps. A server can add
 * samples only by failing: at most one for each requirement of the catalogue.
 */
export const metrics: Renderer = {
  file: "fxconform.prom",
  render: (run) => {
    const own = { target: run.target.baseUrl, profile: run.profile };
    const counts = tally(run.requirements);
    const one = (value: number | undefined): readonly MetricSample[] =>
      value === undefined ? [] : [["", own, value]];
    const tolerated = new Set(run.gate.tolerated.map(({ requirement }) => requirement));
    const failed = run.requirements.filter(({ verdict }) => verdict === "fail");
    const expires = run.certificate && Date.parse(run.certificate.expires) / 1000;
    const all: readonly Metric[] = [
      ["gate_pass", "Whether the gate passes: 1 if it does, 0 if not.", one(Number(run.gate.pass))],
      [
        "outcome",
        "The outcome of the run: 1 for the one that holds, 0 for the others.",
        Object.keys(outcomeSigns).map((outcome) => [
          "",
          { ...own, outcome },
          Number(outcome === run.outcome),
        ]),
      ],
      [
        "requirements",
        "Requirements by verdict.",
        verdicts.map((verdict) => ["", { ...own, verdict }, counts[verdict]]),
      ],
      [
        "requirement_failed",
        "A requirement that failed: 1 for each. tolerated: the baseline knows it.",
        failed.map(({ id, area }) => [
          "",
          { ...own, requirement: id, area, tolerated: String(tolerated.has(id)) },
          1,
        ]),
      ],
      ["requests", "Requests that the run sent.", one(run.requests)],
      [
        "bad_credentials",
        "Requests with bad credentials that the run sent.",
        one(run.badCredentials),
      ],
      [
        "response_seconds",
        "Time from sending a request to the end of its response, by operation.",
        run.latency.flatMap((each) => histogram({ ...own, operation: each.operation }, each)),
        "histogram",
      ],
      [
        "certificate_expiry_timestamp_seconds",
        "When the certificate of the server expires, in seconds since 1970.",
        one(expires),
      ],
      [
        "run_start_timestamp_seconds",
        "When the run started, in seconds since 1970.",
        one(Date.parse(run.startedAt) / 1000),
      ],
      ["run_duration_seconds", "How long the run took.", one(run.durationMs / 1000)],
    ];
    return [...all.flatMap(linesOf), "# EOF\n"].join("\n");
  },
};

/**
 * Upper bounds of the buckets, in seconds. They have at most two significant digits, because the
 * durations in `Latency` are rounded up to two: so each response counts in the right bucket.
 */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string>>;

/** A sample. Its suffix, such as `_bucket`, is appended to the name of the metric. */
type MetricSample = readonly [suffix: string, labels: Labels, value: number];

/**
 * A metric. `help` has no quotes or backslashes, because the two formats escape them differently.
 */
type Metric = readonly [
  name: string,
  help: string,
  samples: readonly MetricSample[],
  type?: string,
];

/** The lines of a metric. None if it has no samples. */
function linesOf([name, help, samples, type = "gauge"]: Metric): readonly string[] {
  return samples.length === 0
    ? []
    : [
        `# HELP fxconform_${name} ${help}`,
        `# TYPE fxconform_${name} ${type}`,
        ...samples.map(
          ([suffix, labels, value]) => `fxconform_${name}${suffix}${labelText(labels)} ${value}`,
        ),
      ];
}

function labelText(labels: Labels): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",")}}`;
}

/** Escapes the value of a label. Line breaks are already escaped by `plain`. */
function escaped(value: string): string {
  return plain(value, longest).replace(/[\\"]/g, (character) => `\\${character}`);
}

const longest = 200;

/** The samples of a classic histogram in seconds: cumulative buckets, `+Inf`, count and sum. */
export function histogram(
  labels: Labels,
  { histogram: values, count, sum }: Pick<Latency, "histogram" | "count" | "sum">,
): readonly MetricSample[] {
  const bucket = (le: string, value: number): MetricSample => ["_bucket", { ...labels, le }, value];
  return [
    ...bounds.map((bound) => {
      const below = values
        .filter(([ms]) => ms / 1000 <= bound)
        .reduce((all, [, times]) => all + times, 0);
      // OpenMetrics wants a decimal place in whole numbers, too.
      return bucket(Number.isInteger(bound) ? `${bound}.0` : String(bound), below);
    }),
    bucket("+Inf", count),
    ["_count", labels, count],
    // Rounded to six decimals, which removes the rounding error of a sum of doubles.
    ["_sum", labels, Number((sum / 1000).toFixed(6))],
  ];
}
