import { plain } from "../sanitize.ts";

export type Labels = Readonly<Record<string, string>>;

/** One number of a metric. */
export interface Sample {
  /** Follows the name of the metric: `_bucket`. @defaultValue "" */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric with all its samples, which share the name. */
export interface Metric {
  readonly name: string;
  readonly type: "gauge" | "histogram";
  /** One sentence without quotes and backslashes, which the two formats escape differently. */
  readonly help: string;
  readonly samples: readonly Sample[];
}

/**
 * The metrics in a text that is valid as Prometheus text format 0.0.4 and as OpenMetrics 1.0: gauges and classic
 * histograms, no timestamps, no empty line, `# EOF` at the end. Metrics without samples are left out.
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

/** Line breaks are escaped by `plain` already. */
const escaped = (value: string): string => plain(value, longest).replace(/[\\"]/g, (character) => `\\${character}`);

/** Characters of a label's value that are kept. */
const longest = 200;

/** Values at or below a bound and how many there are, with the sum of all, each in the unit of the bounds. */
interface Distribution {
  readonly values: readonly (readonly [atMost: number, count: number])[];
  readonly count: number;
  readonly sum: number;
}

/** The samples of a classic histogram. */
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

/** OpenMetrics wants whole bounds with a decimal place. */
const boundText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : String(bound));

/** Without the binary error of a sum of decimals. */
const rounded = (value: number): number => Number(value.toFixed(6));
