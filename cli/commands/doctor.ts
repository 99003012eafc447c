import { redactionFor } from "../../model/evidence/redaction.ts";
import type { CalibrationStepName, TargetStep } from "../../model/evidence/evidence.ts";
import { plural } from "../../model/plural.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { program } from "../../settings/command-line.ts";
import { configurationOf } from "../../settings/configuration.ts";
import { exitCodes, reportMishap, stopSignal } from "../output/exit-code.ts";
import { stepText, type ShownStep } from "../output/progress.ts";
import { factsOf, wayText } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

/**
 * A step that needs a token, with the requirements that its response can break, and the step that
 * has to succeed before it. The run itself reports what the calibration found at its steps.
 */
interface DoctorStep {
  readonly step: "list" | CalibrationStepName;
  readonly requirements: readonly RequirementId[];
  readonly needs?: CalibrationStepName;
}

const list: DoctorStep = { step: "list", requirements: ["BATCH-20"] };

const calibration: readonly DoctorStep[] = [
  { step: "counterparty", requirements: ["CPTY-01"] },
  { step: "operation", requirements: ["OPER-01", "OPER-05"], needs: "counterparty" },
  { step: "item", requirements: ["ACAM-01"], needs: "operation" },
  { step: "pairs", requirements: [], needs: "operation" },
  { step: "purpose", requirements: [], needs: "operation" },
  { step: "batch", requirements: ["BATCH-01"] },
];

/** Prints each step on the way to the target, and what to fix if a step fails. */
export const doctor: Command = async ({ flags }, io) => {
  const configuration = await configurationOf(flags, io);
  const { options, warnings } = configuration;
  for (const warning of warnings) io.stderr(`Warning: ${warning}\n`);
  io.stderr(wayText(configuration, io.cwd));
  const { target, settings } = options;
  const rows = settings.profile === "full" ? [list, ...calibration] : [list];
  if (settings.profile === "full") io.stderr(`${announcement(target.baseUrl)}\n`);
  const stop = stopSignal(io);
  try {
    const redaction = redactionFor(target);
    const taken: TargetStep[] = [];
    const start = await io.modules.run();
    const selection = rows.flatMap(({ requirements }) => requirements);
    const run = await start(
      {
        ...options,
        settings: {
          ...settings,
          selection,
          scenarios: ["batches/list/before"],
          createsLeast: true,
        },
      },
      { signal: stop.signal, redaction, onStep: (step) => taken.push(step) },
    );
    const before = taken.filter(({ step }) => rows.every((row) => row.step !== step));
    const after = run.outcome === "error" ? [] : apiSteps(rows, run, taken);
    const lines = [
      ...[...before, ...after].map(stepText),
      ...(after.length > 0 ? createdLines(run) : []),
    ];
    io.stdout(`${redaction.redact(lines.join("\n"))}\n`);
    if (stop.signal.aborted) return exitCodes.interrupted;
    if (run.outcome === "error")
      return reportMishap(
        { error: run.error, command: "doctor", facts: factsOf(configuration), secrets: redaction },
        io,
      );
    const isReady = before.every(({ ok }) => ok) && after.every(({ isObstacle }) => !isObstacle);
    io.stdout(`\n${isReady ? readyText(after.every(({ ok }) => ok)) : notReady}\n`);
    return isReady ? exitCodes.pass : exitCodes.inconclusive;
  } finally {
    stop.release();
  }
};

function announcement(baseUrl: string): string {
  return `Creates a counterparty, an operation for each pair and purpose that it tries, an ACAM item and a batch at ${baseUrl}; what was created is printed below. With --profile smoke nothing is created.`;
}

const notReady = "Not ready: fix the steps marked with ✗.";

function readyText(isWell: boolean): string {
  return isWell
    ? `Ready for ${program()} run.`
    : `${program()} run can start: it says more about the steps marked with ✗.`;
}

/** `isObstacle`: whether a run would judge little or nothing because of this step. */
interface ApiStep extends ShownStep {
  readonly isObstacle: boolean;
}

/**
 * Returns what the run showed of the API, step by step. Leaves out the steps of which every
 * requirement was skipped. A wrong response is no obstacle, as a run judges it.
 */
function apiSteps(
  rows: readonly DoctorStep[],
  run: Run,
  taken: readonly TargetStep[],
): readonly ApiStep[] {
  const hasToken = taken.some(({ step, ok }) => step === "token" && ok);
  return rows.flatMap(({ step, requirements, needs }): readonly ApiStep[] => {
    const results = run.requirements.filter(({ id }) => requirements.includes(id));
    if (results.length > 0 && results.every(({ verdict }) => verdict === "skip")) return [];
    const own = taken.find((one) => one.step === step);
    const wrong = results.find(({ findings }) => findings.length > 0);
    if (wrong !== undefined)
      return [{ step, ok: false, found: wrongText(wrong), isObstacle: false }];
    const missing = hasToken ? own === undefined && needs : "token";
    if (missing) {
      const article = missing === "operation" ? "an" : "a";
      return [{ step, ok: undefined, found: `needs ${article} ${missing}`, isObstacle: true }];
    }
    const unseen = results.find(({ verdict }) => verdict !== "pass");
    if (own !== undefined) return [{ ...own, isObstacle: !own.ok && unseen !== undefined }];
    const found =
      unseen === undefined
        ? "GET /batches lists batches"
        : withoutStop(unseen.reason ?? unseen.statement);
    return [{ step, ok: unseen === undefined, found, isObstacle: unseen !== undefined }];
  });
}

function wrongText({ findings: [finding], statement }: RequirementResult): string {
  if (finding === undefined) return withoutStop(statement);
  return `${withoutStop(finding.message)}; expected ${finding.expected}, found ${finding.actual}`;
}

const withoutStop = (text: string): string => text.replace(/\.$/, "");

/** Returns a line for each resource that the steps created, and one for all without a usable id. */
function createdLines({ created, createdWithoutId = 0 }: Run): readonly string[] {
  const withId = created.map(({ kind, id }) => `created ${kind} ${id}`);
  const without = `created ${plural(createdWithoutId, "resource")} without a usable id`;
  return [...withId, ...(createdWithoutId > 0 ? [without] : [])].map((text) => `  ${text}`);
}
