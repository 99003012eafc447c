import type { Renderer } from "../../reports/index.ts";
import type { Run } from "../../model/run.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { reportMishap } from "../output/error-file.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { stopSignal } from "../output/interruption.ts";
import type { Io } from "../output/io.ts";
import type { Parts } from "../lazy-modules.ts";
import { planText } from "../output/announcement.ts";
import { progressView } from "../output/progress.ts";
import { keepReports } from "../output/report-output.ts";
import { appendStepSummary, prepareReportFolder } from "../output/report-files.ts";
import { withoutSecrets } from "../output/secrets.ts";
import { stepText } from "../output/step-text.ts";

/** Asks the target, writes the reports, tells the result, and gives the exit code. */
export async function ask(configuration: Configuration, command: string, io: Io, parts: Parts): Promise<number> {
  const { options, reportDir, reports, settings } = configuration;
  const all = await parts.renderers();
  const renderers = reports.map((name) => all[name]);
  prepareReportFolder(reportDir, settings.reportDir?.where ?? "--report-dir", renderers);
  for (const warning of configuration.warnings) io.stderr(`Warning: ${warning}\n`);
  io.stderr(planText(options));

  const secrets = new Set([options.target.apiKey]);
  const stop = stopSignal(io);
  const progress = progressView(io);
  try {
    const start = await parts.run();
    const run = await start(options, {
      signal: stop.signal,
      onProgress: progress.show,
      onStep: (step) => {
        progress.end();
        io.stderr(`${withoutSecrets(stepText(step), [...secrets])}\n`);
      },
      onSecret: (secret) => void secrets.add(secret),
    });
    progress.end();
    return await tell(run, { configuration, renderers, command, secrets: [...secrets] }, io, parts);
  } catch (error) {
    progress.end();
    return reportMishap({ error, command, facts: factsOf(configuration), secrets: [...secrets] }, io);
  } finally {
    stop.release();
  }
}

interface Occasion {
  readonly configuration: Configuration;
  readonly renderers: readonly Renderer[];
  readonly command: string;
  readonly secrets: readonly string[];
}

async function tell(run: Run, occasion: Occasion, io: Io, parts: Parts): Promise<number> {
  const { configuration, renderers, command, secrets } = occasion;
  const { markdown } = await parts.renderers();
  const consoleText = await parts.consoleText();
  const kept = keepReports(run, { folder: configuration.reportDir, renderers, secrets }, io);
  const lost = appendStepSummary(io.env["GITHUB_STEP_SUMMARY"], () => markdown.render(run), secrets);
  if (lost !== undefined) io.stderr(`Warning: ${lost}\n`);
  if (run.outcome === "error") {
    const facts = { options: factsOf(configuration), warnings: run.warnings };
    reportMishap({ error: run.error ?? run.summary, command, facts, secrets }, io);
  }
  const text = resultText();
  if (text === undefined) return exitCodes.error;
  const masked = withoutSecrets(text, secrets);
  if (masked !== text) io.stderr("fxconform: a secret was found in the result and is masked there.\n");
  io.stdout(masked.endsWith("\n") ? masked : `${masked}\n`);
  return kept && masked === text ? exitCodeOf(run) : exitCodes.error;

  function resultText(): string | undefined {
    try {
      return consoleText(run, { color: colourOn(io), ...(io.stdoutIsTerminal ? { width: io.columns } : {}) });
    } catch (error) {
      reportMishap({ error, command, facts: factsOf(configuration), secrets }, io);
      return undefined;
    }
  }
}

/** NO_COLOR by the convention of that name: any value that is not empty. */
export const colourOn = ({ env, stdoutIsTerminal }: Io): boolean => stdoutIsTerminal && !env["NO_COLOR"];

/** The options as one can show them. */
const factsOf = ({ options }: Configuration): unknown => ({
  ...options,
  settings: { ...options.settings, selection: options.settings.selection.join(" ") },
  target: { ...options.target, apiKey: "‹secret›", ...(options.target.ca === undefined ? {} : { ca: "given" }) },
});
