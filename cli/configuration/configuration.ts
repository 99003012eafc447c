import { defined } from "../../model/defined.ts";
import { join } from "node:path";
import type { Target } from "../../model/target.ts";
import type { RunOptions } from "../../engine/options.ts";
import type { ReportName } from "../../reports/names.ts";
import { judgedInSmoke, needsCustomer, type RequirementId, requirementIds } from "../../spec/catalogue.ts";
import { readBaseline } from "./baseline-file.ts";
import { readConfigFile } from "./config-file.ts";
import type { Io } from "../output/io.ts";
import { program, shellWord, shortPath } from "../output/command-line.ts";
import type { Invocation } from "./invocation.ts";
import { defaultLayer, fileLayer, flagLayer, limited, optionDefaults, variableLayer } from "./layers.ts";
import { baselineFileName, optionNames, optionOf, variableOf, type OptionName } from "./options.ts";
import { problemCollector, problemText, type Problem } from "./problem.ts";
import { holdsFullerReport, reportFolderProblems } from "../output/report-folder.ts";
import { nothingForSmoke, selectionOf } from "./selection.ts";
import { readStatement } from "./statement-file.ts";
import { nearest } from "./suggestion.ts";
import { optionValuesOf, type Layer, type OptionValue, type OptionValues } from "./option-values.ts";
import { targetOf } from "./target.ts";
import { watchProblems } from "./watch-problems.ts";

/** How a command reads its configuration. */
export interface Presets {
  /** Options of the report that `replay` reads, or of the object that a program gives. Flags win over them. */
  readonly given?: Layer;
  /** Defaults of the command, which win over those of the table. */
  readonly defaults?: Layer["values"];
  /** Options that the command decides: variables and the file do not set them. */
  readonly owned?: readonly OptionName[];
  /** Only a file that `--config` names is read, none from the working directory. */
  readonly namedFileOnly?: true;
  /** The command writes no reports: their folder is not checked. */
  readonly reportless?: true;
  /** No target is needed, or it is unknown because of these problems: nothing is reported as missing. */
  readonly targetless?: readonly Problem[];
}

/** Everything that the commands which send requests need. */
export interface Configuration {
  readonly options: RunOptions;
  readonly reportDir: string;
  readonly reports: readonly ReportName[];
  readonly values: OptionValues;
  /** The file that `--update-baseline` writes; absent if the option is not given. */
  readonly baselineFile?: string;
  readonly warnings: readonly string[];
}

/** Reads flags, variables and file. Throws `UsageError` with everything that is wrong. */
export async function configurationOf(invocation: Invocation, io: Io, presets: Presets = {}): Promise<Configuration> {
  const collected = problemCollector([...invocation.problems, ...(presets.targetless ?? [])]);
  // An empty variable counts as not set.
  const named = invocation.flags["config"] ?? (io.env["FXCONFORM_CONFIG"] || undefined);
  const reading =
    presets.namedFileOnly === true && named === undefined
      ? "none"
      : await collected.read(async () => (await readConfigFile(invocation.flags["config"], io)) ?? "none");
  // An option that seems to be missing may be in a file that cannot be read.
  const unreadable = reading === undefined || presets.targetless !== undefined;
  const file = reading === "none" ? undefined : reading;
  collected.add(file?.problems ?? []);

  const { given, defaults = {}, owned = [] } = presets;
  const isOpen = (name: OptionName): boolean => !owned.includes(name);
  const { values, broken, problems } = optionValuesOf([
    flagLayer(invocation.flags, io),
    ...(given === undefined ? [] : [given]),
    limited(variableLayer(io), isOpen),
    ...(file === undefined ? [] : [limited(fileLayer(file), isOpen)]),
    defaultLayer(defaults, io),
    defaultLayer(optionDefaults, io),
  ]);
  collected.add(problems);

  const selected = selectionOf({ only: values.only, exclude: values.exclude });
  collected.add(selected.problems);
  const { target, profile, ...read } = targetOf(values, broken, selected.selection.some(needsCustomer), io.env);
  if (!unreadable) collected.add(read.problems);
  if (profile === "smoke" && !unreadable) {
    collected.add(nothingForSmoke(selected.selection, values.only?.where ?? values.exclude?.where ?? "--profile"));
  }
  const checked = profile === "smoke" ? selected.selection.filter(judgedInSmoke).length : selected.selection.length;
  const isPartial = checked < requirementIds.length;
  const updating = values.updateBaseline?.value === true;
  if (updating && (isPartial || values.bail !== undefined) && !unreadable) collected.add([partialBaseline(values)]);
  if (values.quiet?.value === true && values.json?.value === true) {
    const what = `cannot be combined with ${values.quiet.where}`;
    collected.add([{ where: values.json.where, what, advice: "Each prints something else: keep one of them." }]);
  }
  collected.add(watchProblems(values, io));
  const statement = await collected.read(() => optionalFile(readStatement, values.statement));
  const baselineFile = values.baseline?.value ?? join(io.cwd, baselineFileName);
  const baseline = await collected.read(() =>
    updating
      ? readBaseline(baselineFile, values.baseline?.where ?? "--update-baseline", { mayBeMissing: true })
      : optionalFile(readBaseline, values.baseline),
  );
  const isDefaultFolder = values.reportDir?.origin === "default" && defaults.reportDir === undefined;
  const folder = values.reportDir?.value ?? io.cwd;
  const isKept = presets.reportless !== true && isDefaultFolder && isPartial && holdsFullerReport(folder, checked);
  const reportDir = isKept ? `${folder}-partial` : folder;
  const reports = values.reports?.value ?? [];
  if (presets.targetless === undefined && presets.reportless !== true) {
    collected.add(reportFolderProblems(reportDir, values.reportDir?.where ?? "--report-dir", reports.includes("json")));
  }
  const misspelt = misspeltVariables(io);
  if (collected.problems.length > 0) collected.add(misspelt);
  collected.throwIfAny();

  const [only, exclude] = [values.only?.value, values.exclude?.value];
  return {
    options: {
      target,
      settings: runSettingsOf(values, profile, selected.selection, io),
      strict: values.strict?.value ?? false,
      statement: statement ?? [],
      baseline: baseline ?? [],
      ...defined({
        budgets: values.maxLatency?.value,
        bail: values.bail?.value,
        selected: (only ?? exclude) && defined({ only, exclude }),
      }),
      given: givenOptions(values, target, io.cwd),
      replayCommand: `${program} replay ${shellWord(shortPath(join(reportDir, "report.json"), io.cwd))}`,
    },
    reportDir,
    reports,
    values,
    ...(updating ? { baselineFile } : {}),
    warnings: [
      ...read.warnings,
      ...misspelt.map(problemText),
      ...(isKept
        ? [`${shortPath(folder, io.cwd)} holds the report of a fuller run: this run writes to ${reportDir}.`]
        : []),
    ],
  };
}

async function optionalFile<T>(
  read: (path: string, where: string) => Promise<T>,
  option: OptionValue<string> | undefined,
): Promise<T | undefined> {
  return option === undefined ? undefined : read(option.value, option.where);
}

function partialBaseline({ only, exclude, bail, profile }: OptionValues): Problem {
  const cause = (only ?? exclude ?? bail ?? profile)?.where ?? "--profile";
  return {
    where: "--update-baseline",
    what: "needs a full run",
    advice: `${cause} leaves requirements out: remove it, or run with --profile full.`,
  };
}

/** The given options, in the form of the configuration file. No secrets; paths are relative to `cwd`. */
function givenOptions(values: OptionValues, target: Target, cwd: string): Readonly<Record<string, unknown>> {
  const headers = (target.headers ?? []).flatMap(({ name, value, isPublic, source }) =>
    source === undefined && !isPublic ? [] : [[name, source ?? value] as const],
  );
  const given = Object.fromEntries(
    optionNames.flatMap((name) => {
      const given: OptionValue<unknown> | undefined = values[name];
      const { kind, path, secret } = optionOf(name);
      if (given === undefined || given.origin === "default" || secret === true) return [];
      const value = path === true ? mapped(given.value, (one) => shortPath(String(one), cwd)) : given.value;
      return [[name, (kind.toFile ?? kind.toText)(value)]];
    }),
  );
  return {
    ...given,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(values.proxy === undefined || target.proxy === undefined ? {} : { proxy: target.proxy.url }),
  };
}

function runSettingsOf(
  values: OptionValues,
  profile: RunOptions["settings"]["profile"],
  selection: readonly RequirementId[],
  io: Io,
): RunOptions["settings"] {
  return {
    profile,
    selection,
    seed: values.seed?.value ?? io.seed(),
    runs: values.runs?.value ?? 1,
    concurrency: values.concurrency?.value ?? 1,
    timeout: values.timeout?.value ?? 0,
    grace: values.grace?.value ?? 0,
    maxBody: values.maxBody?.value ?? 0,
    ...defined({
      fewest: values.only && true,
      rate: values.rate?.value,
      maxBadCredentials: values.maxBadCredentials?.value,
      record: values.record && true,
    }),
  };
}

const mapped = (value: unknown, change: (one: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : change(value);

function misspeltVariables({ env }: Io): readonly Problem[] {
  const known = [...optionNames.map(variableOf), "FXCONFORM_CONFIG"];
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith("FXCONFORM_") || known.includes(name)) return [];
    const near = nearest(
      name.slice(10),
      known.map((one) => one.slice(10)),
    );
    return near === undefined ? [] : [{ where: name, what: "is not read", advice: `Did you mean FXCONFORM_${near}?` }];
  });
}
