import type { Run } from "../../model/run.ts";
import type { Invocation } from "../configuration/invocation.ts";
import { targetConfigurations, targetNames } from "../configuration/targets/compared-targets.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import type { Io } from "../output/io.ts";
import type { Modules } from "../modules.ts";
import { comparisonOf } from "../runs/comparison.ts";
import { comparisonText } from "../runs/comparison-text.ts";
import { targetComparisonOf, targetLines } from "../runs/target-comparison.ts";
import { withoutSecrets } from "../output/secrets.ts";
import { plain } from "../../reports/sanitize.ts";
import { runAndReport } from "./run-and-report.ts";

/**
 * Runs the profile smoke against two targets of the configuration file, one after the other, with one seed, and prints
 * what differs. Exit code 3 if one of them cannot be tested; else the exit code of a comparison of two reports.
 */
export async function diffTargets(invocation: Invocation, io: Io, modules: Modules): Promise<number> {
  const { flags } = invocation;
  const names = targetNames(invocation);
  const configurations = await targetConfigurations(names, invocation, io);
  const runs: Run[] = [];
  const secrets = new Set<string>();
  for (const configuration of configurations) {
    const resultOf = (run: Run): { text: string; code: number } => {
      runs.push(run);
      return { text: "", code: exitCodeOf(run) };
    };
    const quiet = { ...io, stdout: () => undefined };
    const code = await runAndReport(configuration, "diff --targets", quiet, modules, { resultOf, secrets });
    if (code === exitCodes.error || code === exitCodes.interrupted) return code;
  }
  const [before, after] = runs;
  if (before === undefined || after === undefined) throw new TypeError("a run without a result is missing");
  const untested = runs.some((run) => exitCodeOf(run) === exitCodes.inconclusive);
  const comparison = untested ? undefined : { ...comparisonOf(before, after), ...targetComparisonOf(before, after) };
  const targets = runs.map(({ target, outcome, summary, seed, badCredentials }, index) => ({
    name: names[index] ?? "",
    baseUrl: target.baseUrl,
    ...{ outcome, summary, seed, badCredentials, reportDir: configurations[index]?.reportDir },
  }));
  const differences =
    comparison === undefined
      ? "No comparison: not every target could be tested.\n"
      : comparisonText(comparison, targetLines(comparison));
  const text =
    flags["json"] === true
      ? `${JSON.stringify({ targets, ...comparison }, undefined, 2)}\n`
      : `${targets.map(({ name, summary }) => plain(`${name}: ${summary}`, 500)).join("\n")}\n\n${differences}`;
  io.stdout(withoutSecrets(text, [...secrets]));
  if (comparison === undefined) return exitCodes.inconclusive;
  return comparison.verdicts.length + comparison.answers.length > 0 ? exitCodes.fail : exitCodes.pass;
}
