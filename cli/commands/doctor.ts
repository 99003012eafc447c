import { withoutSecrets } from "../../reports/secrets.ts";
import type { PreflightStep } from "../../model/evidence/messages.ts";
import { plural } from "../../model/plural.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import { secretsOf } from "../../model/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { program } from "../../settings/command-line.ts";
import { configurationOf } from "../../settings/configuration.ts";
import { exitCodes, reportMishap, stopSignal } from "../output/exit-code.ts";
import { stepText, type ShownStep } from "../output/progress.ts";
import { factsOf } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

/**
 * A step that needs a token: what it shows, by which requirements, and which other step it needs.
 */
interface DoctorStep {
  readonly step: string;
  readonly shows: string;
  readonly requirements: readonly RequirementId[];
  readonly needs?: string;
}

const list: DoctorStep = {
  step: "list",
  shows: "GET /batches lists batches",
  requirements: ["BATCH-20"],
};

const creations: readonly DoctorStep[] = [
  {
    step: "counterparty",
    shows: "POST /customers/{customer_id}/counterparty returns an id",
    requirements: ["CPTY-01"],
  },
  {
    step: "operation",
    shows: "POST /corporate/operation answers with 200 and an operation_id",
    requirements: ["OPER-01", "OPER-05"],
    needs: "counterparty",
  },
];

/** They send one request to each operation that the steps show. */
const scenarios = {
  smoke: ["batches/list/before"],
  full: ["batches/list/before", "operation/create/first"],
} as const;

/** Prints each step of reaching the target, and what to fix if one fails. */
export const doctor: Command = async ({ flags }, io) => {
  const configuration = await configurationOf(flags, io);
  const { options, warnings } = configuration;
  for (const warning of warnings) io.stderr(`Warning: ${warning}\n`);
  const { target, settings } = options;
  const rows = settings.profile === "full" ? [list, ...creations] : [list];
  if (settings.profile === "full") {
    io.stderr(
      `Creates one counterparty and one operation at ${target.baseUrl}; what was created is printed below. ` +
        "With --profile smoke nothing is created.\n",
    );
  }
  const stop = stopSignal(io);
  try {
    const before: PreflightStep[] = [];
    const start = await io.modules.run();
    const selection = rows.flatMap(({ requirements }) => requirements);
    const run = await start(
      {
        ...options,
        settings: {
          ...settings,
          selection,
          scenarios: scenarios[settings.profile],
          createsLeast: true,
        },
      },
      { signal: stop.signal, onStep: (step) => before.push(step) },
    );
    const secrets = secretsOf(target).map(({ value }) => value);
    const after =
      run.outcome === "error"
        ? []
        : apiSteps(
            rows,
            run,
            before.every(({ ok }) => ok),
          );
    const lines = [
      ...[...before, ...after].map(stepText),
      ...(after.length > 0 ? createdLines(run) : []),
    ];
    io.stdout(`${withoutSecrets(lines.join("\n"), secrets)}\n`);
    if (stop.signal.aborted) return exitCodes.interrupted;
    if (run.outcome === "error")
      return reportMishap(
        { error: run.error, command: "doctor", facts: factsOf(configuration), secrets },
        io,
      );
    const isReady = before.every(({ ok }) => ok) && after.every(({ isObstacle }) => !isObstacle);
    io.stdout(`\n${isReady ? readyText(after.every(({ ok }) => ok)) : notReady}\n`);
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

interface ApiStep extends ShownStep {
  /** A run would judge little or nothing. A wrong response is no obstacle, as a run judges it. */
  readonly isObstacle: boolean;
}

/** What the run shows of the API; nothing of what it did not come to. */
function apiSteps(rows: readonly DoctorStep[], run: Run, hasToken: boolean): readonly ApiStep[] {
  const steps: ApiStep[] = [];
  for (const row of rows) {
    const results = run.requirements.filter(({ id }) => row.requirements.includes(id));
    if (results.every(({ verdict }) => verdict === "skip")) continue;
    const isNeeded = ({ step, ok }: ApiStep): boolean => step === row.needs && ok !== true;
    steps.push(apiStep(row, results, hasToken ? steps.find(isNeeded)?.step : "token"));
  }
  return steps;
}

/** `missing`: the step without which this one could not be taken. */
function apiStep(
  { step, shows }: DoctorStep,
  results: readonly RequirementResult[],
  missing: string | undefined,
): ApiStep {
  const wrong = results.find(({ findings: [finding] }) => finding !== undefined);
  if (wrong !== undefined) return { step, ok: false, found: wrongText(wrong), isObstacle: false };
  const unseen = results.find(({ verdict }) => verdict !== "pass");
  if (unseen === undefined) return { step, ok: true, found: shows, isObstacle: false };
  if (missing !== undefined)
    return { step, ok: undefined, found: `needs a ${missing}`, isObstacle: true };
  return {
    step,
    ok: false,
    found: withoutStop(unseen.reason ?? unseen.statement),
    isObstacle: true,
  };
}

function wrongText({ findings: [finding], statement }: RequirementResult): string {
  if (finding === undefined) return withoutStop(statement);
  return `${withoutStop(finding.message)}; expected ${finding.expected}, found ${finding.actual}`;
}

const withoutStop = (text: string): string => text.replace(/\.$/, "");

/** What the steps created, a line each. */
function createdLines({ created, createdWithoutId = 0 }: Run): readonly string[] {
  const withId = created.map(({ kind, id }) => `created ${kind} ${id}`);
  const without = `created ${plural(createdWithoutId, "resource")} without a usable id`;
  return [...withId, ...(createdWithoutId > 0 ? [without] : [])].map((text) => `  ${text}`);
}
