import type { OptionName } from "./options.ts";
import type { Problem } from "./problem.ts";
import type { OptionValues } from "./values.ts";

/** Options that exclude an option, or one that it needs. The texts get the place of the option and of the other one. */
interface Rule {
  readonly option: OptionName;
  /** The other options; with `needs`, the one without which the option means nothing. */
  readonly excludes?: readonly OptionName[];
  readonly needs?: OptionName;
  /** Values of the other option that are excluded. @defaultValue all but `false` */
  readonly when?: unknown;
  /** Only where both stand in one place: otherwise the stronger place wins. */
  readonly inOnePlace?: true;
  readonly what?: (other: string) => string;
  readonly advice: (other: string) => string;
}

const fullRun = {
  option: "updateBaseline",
  what: () => "needs a full run",
  advice: (other: string) => `${other} leaves requirements out: remove it, or run with --profile full.`,
} as const;

const certificate = {
  needs: "cert",
  what: () => "needs a client certificate",
  advice: () => "Give it with --cert.",
} as const;

const rules: readonly Rule[] = [
  {
    option: "apiKeyFile",
    excludes: ["apiKey"],
    inOnePlace: true,
    what: (other) => `gives a key as ${other} does`,
    advice: () => "Keep one of the two.",
  },
  { option: "json", excludes: ["quiet"], advice: () => "Each prints something else: keep one of them." },
  {
    option: "watch",
    excludes: ["json", "quiet", "updateBaseline", "record"],
    advice: (other) => `Leave ${other} out, or run without --watch.`,
  },
  { option: "watchFiles", needs: "watch", advice: () => "Add --watch, or leave it out." },
  { ...fullRun, excludes: ["only", "exclude", "bail"] },
  { ...fullRun, excludes: ["profile"], when: "smoke" },
  { ...certificate, option: "key" },
  { ...certificate, option: "passphraseFile" },
];

/** What is wrong with the options that are given together; what they need may be missing only where all values are known. */
export const combinationProblems = (values: OptionValues, isComplete: boolean): readonly Problem[] =>
  rules.flatMap((rule) => {
    const { option, needs, excludes = [], when, inOnePlace } = rule;
    const own = values[option];
    if (own === undefined || own.value === false) return [];
    const { where, rank } = own;
    if (needs !== undefined) {
      const isMet = !isComplete || (values[needs]?.value ?? false) !== false;
      return isMet ? [] : [{ where, what: rule.what?.(where) ?? `needs --${needs}`, advice: rule.advice(where) }];
    }
    return excludes.flatMap((name) => {
      const other = values[name];
      if (other === undefined || (when === undefined ? other.value === false : other.value !== when)) return [];
      if (inOnePlace === true && other.rank !== rank) return [];
      const what = rule.what?.(other.where) ?? `cannot be combined with ${other.where}`;
      return [{ where, what, advice: rule.advice(other.where) }];
    });
  });
