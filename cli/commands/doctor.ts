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

/** The steps that need a token, each with the requirements that its response can break. */
const apiSteps: Readonly<Record<"list" | CalibrationStepName, readonly RequirementId[]>> = {
  list: ["BATCH-20"],
  counterparty: ["CPTY-01"],
  operation: ["OPER-01", "OPER-05"],
  item: ["ACAM-01"],
  pairs: [],
  purpose: [],
  batch: ["BATCH-01"],
};

/** Prints each step on the way to the target, and what to fix if a step fails. */
export const doctor: Command = async ({ flags }, io) => {
  const configuration = await configurationOf(flags, io);
  const { options, warnings } = configuration;
  for (const warning of warnings) io.stderr(`Warning: ${warning}\n`);
  io.stderr(wayText(configuration, io.cwd));
  const { target, settings } = options;
  const selection = Object.values(apiSteps).flat();
  if (settings.profile === "full")
    io.stderr(
      `Creates a counterparty, an operation for each pair and purpose that it tries, an ACAM item and a batch at ${target.baseUrl}; what was created is printed below. With --profile smoke nothing is created.\n`,
    );
  const stop = stopSignal(io);
  try {
    const redaction = redactionFor(target);
    const taken: TargetStep[] = [];
    const start = await io.modules.run();
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
    const steps = stepsOf(run, taken);
    const lines = [...steps.map(stepText), ...createdLines(run)];
    io.stdout(`${redaction.redact(lines.join("\n"))}\n`);
    if (stop.signal.aborted) return exitCodes.interrupted;
    if (run.outcome === "error")
      return reportMishap(
        { error: run.error, command: "doctor", facts: factsOf(configuration), secrets: redaction },
        io,
      );
    const isReady = run.requirements.every(({ verdict }) => verdict !== "inconclusive");
    io.stdout(`\n${isReady ? readyText(steps.every(({ ok }) => ok)) : notReady}\n`);
    return isReady ? exitCodes.pass : exitCodes.inconclusive;
  } finally {
    stop.release();
  }
};

const notReady = "Not ready: fix the steps marked with ✗.";

function readyText(isWell: boolean): string {
  return isWell
    ? `Ready for ${program()} run.`
    : `${program()} run can start: it says more about the steps marked with ✗.`;
}

/**
 * Returns the steps that were taken, each with what its response breaks, and none after the token
 * without one. The list, which a scenario asks for, comes before what was created.
 */
function stepsOf({ requirements }: Run, taken: readonly TargetStep[]): readonly ShownStep[] {
  const isOfApi = ({ step }: TargetStep): boolean => Object.hasOwn(apiSteps, step);
  const before = taken.filter((one) => !isOfApi(one));
  if (!before.some(({ step, ok }) => step === "token" && ok)) return before;
  const [list] = requirements.filter(({ id }) => apiSteps.list.includes(id));
  const ok = list?.verdict === "pass";
  const listed = { step: "list", ok, found: list?.reason ?? "GET /batches lists batches" };
  return [...before, listed, ...taken.filter(isOfApi)].map((one) => {
    const ids = new Map<string, readonly RequirementId[]>(Object.entries(apiSteps)).get(one.step);
    const wrong = requirements.find(({ id, findings }) => ids?.includes(id) && findings.length > 0);
    return wrong === undefined ? one : { step: one.step, ok: false, found: wrongText(wrong) };
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
