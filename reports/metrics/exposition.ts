import { plain } from "../sanitize.ts";

export type Labels = Readonly<Record<string, string>>;

/** One number of a metric. */
export interface Sample {
  /** Appended to the name of the metric: `_bucket`. @defaultValue "" */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric with all its samples. */
export interface Metric {
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
