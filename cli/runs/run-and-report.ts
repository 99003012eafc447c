import { defined } from "../../model/defined.ts";
import { expectedOf, mostCreations, runBound } from "../../engine/bounds.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "../../engine/options.ts";
import type { Run } from "../../model/run.ts";
import { secretsOf } from "../../model/target.ts";
import { withoutSecrets, holdsSecret } from "../../engine/secrets.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { reportMishap } from "../output/error-file.ts";
import { exitCodeOf, exitCodes, stopSignal } from "../output/exit-code.ts";
import { type Io, isSilent } from "../output/io.ts";
import type { Modules } from "../modules.ts";
import { progressView } from "../output/progress.ts";
import { recordingFile } from "../output/recording-file.ts";
import { stepsView } from "../output/step-text.ts";
import { factsOf, reportingOf, reportRun, type Result } from "./reporting.ts";
import { judgedInSmoke } from "../../spec/catalogue.ts";
import { plural } from "../../model/plural.ts";
import { durationText } from "../../reports/headline.ts";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { KnownFailure } from "../../model/gate.ts";
import { plain } from "../../reports/sanitize.ts";
import { packagePlace } from "../output/package-place.ts";
import { shortPath } from "../../settings/command-line.ts";
import { codeOf, temporaryPath } from "../../model/files.ts";

/** How a command differs from `run`. */
interface Particulars {
  /** Replaces the text and the exit code. */
  readonly resultOf?: (run: Run) => Result;
  /** Runs the scenarios instead of a new engine. */
  readonly start?: Engine;
  readonly signal?: AbortSignal;
  readonly onUpdate?: RunControl["onUpdate"];
  /** Takes the secrets of the run as they become known. */
  readonly secrets?: Set<string>;
  /** Prints neither the plan nor the steps before the run. */
  readonly isBrief?: boolean;
  /** Whether the result of a run is discarded: neither reported nor printed. */
  readonly isDropped?: (run: Run) => boolean;
}

/** What runs the scenarios. */
type Engine = (options: RunOptions, control?: RunControl) => Promise<Run>;

/** Runs the scenarios, writes the reports, prints the result, and returns the exit code. */
export async function runAndReport(
  configuration: Configuration,
  command: string,
  io: Io,
  modules: Modules,
  particulars: Particulars = {},
): Promise<number> {
  const { options, values } = configuration;
  const reporting = await reportingOf(configuration, command, io, modules, particulars.isBrief);
  const { notes } = reporting;
  const recording = values.record === undefined ? undefined : recordingFile(values.record.value, values.record.where);
  notes.stderr(planText(options));

  const secrets = particulars.secrets ?? new Set();
  for (const { value } of secretsOf(options.target)) secrets.add(value);
  const stop = stopSignal(notes);
  const progress = progressView(isSilent(values) ? notes : io, expectedOf(options.settings).requests);
  try {
    const start = particulars.start ?? (await modules.run());
    const run = await start(options, {
      signal: AbortSignal.any([stop.signal, ...(particulars.signal === undefined ? [] : [particulars.signal])]),
      onProgress: progress.show,
      onStep: stepsView(values.verbose?.value === true, (line) => {
        progress.end();
        notes.stderr(`${withoutSecrets(line, [...secrets])}\n`);
      }),
      onSecret: (secret) => void secrets.add(secret),
      ...defined({ onUpdate: particulars.onUpdate, onRecorded: recording?.add }),
    });
    progress.end();
    if (particulars.isDropped?.(run) === true) return exitCodeOf(run);
    const isRecorded = (await recording?.finish([...secrets], notes)) ?? true;
    const code = await reportRun(run, [...secrets], reporting, io, modules, particulars.resultOf);
    return isRecorded ? code : exitCodes.error;
  } catch (error) {
    progress.end();
    await recording?.finish([...secrets], io);
    return reportMishap({ error, command, facts: factsOf(configuration), secrets: [...secrets] }, io);
  } finally {
    stop.release();
  }
}

/** What the run is about to do: its target, how much it checks, and what it creates. */
function planText({ target, settings }: RunOptions): string {
  const { profile, selection, seed, concurrency, rate } = settings;
  const checked = profile === "smoke" ? selection.filter(judgedInSmoke) : selection;
  const limit = rate === undefined ? "" : `, at most ${plural(rate, "request")} per second`;
  const { requests, seconds } = expectedOf(settings);
  const lines = [
    `Checking ${plural(checked.length, "requirement")} at ${target.baseUrl}: profile ${profile}, seed ${seed}, ${concurrency} in flight${limit}.`,
    creationText(settings),
    `Takes about ${plural(requests, "request")} and ${durationText(seconds * 1000)} if each response takes 50 ms; ends after ${plural(Math.ceil(runBound(settings) / 60_000), "minute")} at the latest.`,
  ];
  return `${lines.join("\n")}\n`;
}

const creationText = (settings: RunOptions["settings"]): string =>
  settings.profile === "smoke"
    ? "Creates nothing: sends only POST /auth/token and GET /batches."
    : `Creates counterparties, operations, ACAM items and batches with at most ${mostCreations(settings)} requests; ` +
      "the report lists them.";

/** What became of the baseline, in one line. */
interface BaselineUpdate {
  readonly text: string;
  /** Whether the file should have been written and was not. */
  readonly failed: boolean;
}

/**
 * Writes the failures of a full run to the baseline file. Entries that still fail keep their reason and date; entries
 * that pass are removed; a new failure gets the message of its first finding and 30 days.
 */
export async function baselineUpdate(
  run: Run,
  { baseline, strict }: Pick<RunOptions, "baseline" | "strict">,
  file: string,
  secrets: readonly string[],
  io: Io,
): Promise<BaselineUpdate> {
  const name = shortPath(file, io.cwd);
  if (!run.complete || !["conformant", "nonconformant"].includes(run.outcome)) {
    return { text: `${name} is not updated: this was not a full run with a verdict.`, failed: false };
  }
  const passing = new Set(run.requirements.filter(({ verdict }) => verdict === "pass").map(({ id }) => id));
  const known = new Set(baseline.map(({ requirement }) => requirement));
  const removed = baseline.filter(({ requirement }) => passing.has(requirement));
  const added = run.requirements
    .filter(({ id, verdict }) => (verdict === "fail" || (strict && verdict === "warn")) && !known.has(id))
    .map(({ id, statement, findings: [first] }) => ({
      requirement: id,
      reason: plain(first?.message ?? statement, 300),
      expires: new Date(io.now().getTime() + lifetime).toISOString().slice(0, 10),
    }));
  const total = plural(baseline.length - removed.length + added.length, "known failure");
  if (removed.length + added.length === 0) return { text: `${name} is unchanged: ${total}.`, failed: false };
  const kept = baseline.filter(({ requirement }) => !passing.has(requirement));
  const text = file.endsWith(".json")
    ? `${JSON.stringify([...kept, ...added], undefined, 2)}\n`
    : await yamlText(file, new Set(removed.map(({ requirement }) => requirement)), added);
  if (holdsSecret(text, secrets)) {
    return { text: `fxconform: ${name} is not written: a secret was found in it.`, failed: true };
  }
  const temporary = temporaryPath(dirname(file), basename(file));
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    return { text: `fxconform: ${name} cannot be written (${codeOf(error)}).`, failed: true };
  }
  const changes = [
    ...(added.length > 0 ? [`${added.length} added`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ];
  return {
    text: `${name}: ${changes.join(", ")}, ${total}. The next run with --baseline ${name} uses it.`,
    failed: false,
  };
}

/** Milliseconds for which a new entry holds. */
const lifetime = 30 * 86_400_000;

/** The file with its comments, without the removed entries, and with the new ones. */
async function yamlText(file: string, removed: ReadonlySet<string>, added: readonly KnownFailure[]): Promise<string> {
  const { isMap, isSeq, parseDocument } = await import("yaml");
  const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : newFile(dirname(file)));
  const { contents } = document;
  if (!isSeq(contents)) throw new TypeError("a baseline that was read is not a list");
  contents.items = contents.items.filter(
    (entry) => !isMap(entry) || !removed.has(String(entry.get("requirement")).toUpperCase()),
  );
  for (const entry of added) document.addIn([], document.createNode(entry));
  contents.flow = false;
  return document.toString({ lineWidth: 0 });
}

const newFile = (folder: string): string =>
  [
    `# yaml-language-server: $schema=${packagePlace(folder, "dist/settings/baseline.schema.json")}`,
    "# Failures that are known and tolerated until the end of the day in expires, in UTC.",
    "",
    "[]",
    "",
  ].join("\n");
