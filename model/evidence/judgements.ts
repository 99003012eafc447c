import { defined } from "../defined.ts";
import type { EvidenceOf, FoundViolation } from "./messages.ts";
import type { Finding, NoVerdict, RequirementResult } from "../run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { RunOptions } from "../run-options.ts";

/** What was judged of a requirement. */
export interface Judged extends Pick<RequirementResult, "asked" | "findings" | "judgedIn" | "sample"> {
  readonly inconclusive: readonly NoVerdict[];
}

export const notJudged: Judged = { asked: 0, findings: [], inconclusive: [] };

/** The most reasons of a kind and scenarios of a requirement. Its findings are bounded where their texts are made. */
const bounds = { reasons: 5, scenarios: 12 };

interface Counted {
  asked: number;
  sample?: number;
  readonly scenarios: Set<string>;
  readonly reasons: NoVerdict[];
  readonly findings: Map<string, { finding: FoundViolation; occurrences: number; repeated?: EvidenceOf<"repeated"> }>;
}

export const createJudgements = ({
  replayCommand = "npx fxconform replay fxconform-report/report.json",
}: Pick<RunOptions, "replayCommand">) => {
  const all = new Map<RequirementId, Counted>();
  const of = (requirement: RequirementId): Counted => {
    const known = all.get(requirement) ?? { asked: 0, scenarios: new Set(), reasons: [], findings: new Map() };
    all.set(requirement, known);
    return known;
  };
  return {
    takes: {
      held: ({ requirements, scenario, exchange }: EvidenceOf<"held">): void => {
        for (const counted of requirements.map(of)) {
          counted.asked += 1;
          if (scenario !== undefined && counted.scenarios.size < bounds.scenarios) counted.scenarios.add(scenario);
          if (exchange !== undefined) counted.sample ??= exchange;
        }
      },
      violated: ({ requirement, key, finding }: EvidenceOf<"violated">): void => {
        const counted = of(requirement);
        counted.asked += 1;
        if (key === undefined) return;
        const known = counted.findings.get(key);
        if (known !== undefined) {
          known.occurrences += 1;
          known.finding = finding ?? known.finding;
        } else if (finding !== undefined) counted.findings.set(key, { finding, occurrences: 1 });
      },
      repeated: (repeated: EvidenceOf<"repeated">): void => {
        const known = of(repeated.requirement).findings.get(repeated.key);
        if (known !== undefined) known.repeated = repeated;
      },
      inconclusive: ({ requirement, reason, cutShort, gap }: EvidenceOf<"inconclusive">): void => {
        const { reasons } = of(requirement);
        const known = reasons.filter((one) => one.gap === gap).length;
        if (known < bounds.reasons || cutShort) reasons.push({ reason, cutShort, ...defined({ gap }) });
      },
    },
    all: (): ReadonlyMap<RequirementId, Judged> =>
      new Map(
        [...all].map(([id, { asked, sample, scenarios, reasons, findings }]) => [
          id,
          {
            asked,
            findings: [...findings.values()].map((one) => findingOf(one, `${replayCommand} --only ${id}`)),
            ...defined({ judgedIn: scenarios.size === 0 ? undefined : [...scenarios], sample }),
            inconclusive: reasons,
          },
        ]),
      ),
    failing: (): ReadonlySet<RequirementId> =>
      new Set([...all].filter(([, { findings }]) => findings.size > 0).map(([id]) => id)),
  };
};

type Counts = Counted["findings"] extends Map<string, infer T> ? T : never;

/** A finding as reports have it. A crash that the same request alone did not cause is another cause than one that it did. */
const findingOf = ({ finding, occurrences, repeated }: Counts, replay: string): Finding => {
  const { message, expected, actual, curl, ...more } = finding;
  const whole = { message, expected, actual, replay, curl, occurrences, ...more };
  if (repeated === undefined) return whole;
  const { text, alone } = repeated;
  if (alone === undefined) return { ...whole, repeated: text };
  const { cause } = finding;
  return {
    ...whole,
    repeated: text,
    actual: `${actual}; sent alone, the same request was answered with ${alone}`,
    ...(cause && { cause: { ...cause, actual: `${cause.actual}, not when sent alone` } }),
  };
};
