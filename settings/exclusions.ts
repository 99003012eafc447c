import type { OptionName } from "./options.ts";
import type { Problem } from "./problem.ts";
import type { OptionValues } from "./values.ts";

/** Options that exclude an option, or one that it needs. The texts get the place of the option or of the other one. */
interface Rule {
  readonly option: OptionName;
  /** The other options; with `needs`, the one without which the option means nothing. */
  readonly excludes?: readonly OptionName[];
  readonly needs?: OptionName;
  /** Values of the other option that are excluded. @defaultValue all but `false` */
  readonly when?: unknown;
  /** Only where both stand in one place: otherwise the stronger place wins. */
  readonly inOnePlace?: true;
  /** @defaultValue that they cannot be combined */
  readonly what?: string;
  /** `…` stands for the place of the other option. */
  readonly advice: string;
}

const fullRun = {
  option: "updateBaseline",
  what: "needs a full run",
  advice: "… leaves requirements out: remove it, or run with --profile full.",
} as const;

const certificate = { needs: "cert", what: "needs a client certificate", advice: "Give it with --cert." } as const;
const sameKey = { inOnePlace: true, what: "gives a key as … does", advice: "Keep one of the two." } as const;
const printing = "Each prints something else: keep one of them.";
const staying = "Leave … out, or run without --watch.";

const rules: readonly Rule[] = [
  { ...sameKey, option: "apiKeyFile", excludes: ["apiKey"] },
  { option: "json", excludes: ["quiet"], advice: printing },
  { option: "watch", excludes: ["json", "quiet", "updateBaseline", "record"], advice: staying },
  { option: "watchFiles", needs: "watch", what: "needs --watch", advice: "Add --watch, or leave it out." },
  { ...fullRun, excludes: ["only", "exclude", "bail"] },
  { ...fullRun, excludes: ["profile"], when: "smoke" },
  { ...certificate, option: "key" },
  { ...certificate, option: "passphraseFile" },
];

/** What is wrong with the options that are given together; what they need may be missing only where all values are known. */
export const combinationProblems = (values: OptionValues, isComplete: boolean): readonly Problem[] =>
  rules.flatMap(({ option, needs, excludes = [], when, inOnePlace, what = "cannot be combined with …", advice }) => {
    const own = values[option];
    if (own === undefined || own.value === false) return [];
    if (needs !== undefined) {
      const isMet = !isComplete || (values[needs]?.value ?? false) !== false;
      return isMet ? [] : [{ where: own.where, what, advice }];
    }
    return excludes.flatMap((name) => {
      const other = values[name];
      if (other === undefined || (when === undefined ? other.value === false : other.value !== when)) return [];
      if (inOnePlace === true && other.rank !== own.rank) return [];
      const named = (text: string): string => text.replace("…", other.where);
      return [{ where: own.where, what: named(what), advice: named(advice) }];
    });
  });
