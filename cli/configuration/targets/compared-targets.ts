import { configurationOf, type Configuration } from "../configuration.ts";
import { flagValue, type Invocation } from "../invocation.ts";
import { list } from "../kinds/list.ts";
import { objectLayer } from "../layers.ts";
import { optionNames, optionOf, type OptionName } from "../options.ts";
import { problemCollector, problemText, UsageError, type Problem } from "../problem.ts";
import type { Io } from "../../output/io.ts";

/** The options of a comparison of targets: they hold for both runs. */
export const diffOptions: readonly OptionName[] = [
  ...(["only", "exclude", "seed", "runs", "concurrency", "rate", "maxBadCredentials", "timeout", "maxBody"] as const),
  ...(["reportDir", "reports"] as const),
];

const twoNames = list({ wanted: "the names of two targets, such as sandbox,production", pattern: "\\S" });

/** The two names of `--targets`. Throws `UsageError`. */
export function targetNames({ flags, problems }: Invocation): readonly string[] {
  const names = flagValue("--targets", flags["targets"], twoNames) ?? [];
  if (names.length === 2) return names;
  const found = names.join(",");
  const wrong = { where: "--targets", what: "must name two targets", found, advice: "Write --targets before,after." };
  throw new UsageError([...problems, wrong]);
}

/**
 * A configuration for each target, with the seed and the bound of bad credentials that both keep to. Throws `UsageError`
 * with everything that is wrong.
 */
export async function targetConfigurations(
  names: readonly string[],
  invocation: Invocation,
  io: Io,
): Promise<readonly Configuration[]> {
  const seed = io.seed();
  const collected = problemCollector();
  const configurations: Configuration[] = [];
  for (const name of names) {
    const configuration = await collected.read(() => configurationFor(name, invocation, { ...io, seed: () => seed }));
    if (configuration !== undefined) configurations.push(configuration);
  }
  const [first, second] = configurations;
  if (first === undefined || second === undefined) throw new UsageError(once(collected.problems));
  const bounds = [first, second].flatMap(({ options }) => options.settings.maxBadCredentials ?? []);
  const shared = {
    seed: first.options.settings.seed,
    ...(bounds.length === 0 ? {} : { maxBadCredentials: Math.min(...bounds) }),
  };
  return [first, second].map((one) => ({
    ...one,
    options: { ...one.options, settings: { ...one.options.settings, ...shared } },
  }));
}

const configurationFor = (name: string, { flags, problems }: Invocation, io: Io): Promise<Configuration> =>
  configurationOf({ flags, words: [], problems }, io, {
    chosen: { name, where: "--targets" },
    given: objectLayer({ target: name, profile: "smoke" }, io.cwd),
    // One folder, even if the name contains a slash.
    folderSuffix: `-${encodeURIComponent(name)}`,
    owned: optionNames.filter((option) => !isOpen(option)),
  });

/** Whether variables and the file set an option of a comparison. */
const isOpen = (name: OptionName): boolean =>
  ["Target", "Network", "TLS"].includes(optionOf(name).group) ? name !== "target" : diffOptions.includes(name);

/** What is wrong with both targets is reported once. */
const once = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((problem) => [problemText(problem), problem])).values(),
];
