import { secretsOf } from "../../model/target.ts";
import type { Command } from "./command.ts";
import { configurationOf } from "../../settings/configuration.ts";
import { program } from "../../settings/command-line.ts";
import { exitCodes, stopSignal } from "../output/exit-code.ts";
import { withoutSecrets } from "../../engine/secrets.ts";
import { stepText } from "../output/step-text.ts";

/** The preflight without a run: prints each step of reaching the target, and what to fix if one fails. */
export const doctor: Command = async (invocation, io, modules) => {
  const { options, warnings } = await configurationOf(invocation, io, { reportless: true });
  for (const warning of warnings) io.stderr(`Warning: ${warning}\n`);
  const { target, settings } = options;
  if (settings.profile === "full") {
    io.stderr(
      `Creates one counterparty and one operation at ${target.baseUrl}; their ids are printed below. ` +
        "With --profile smoke nothing is created.\n",
    );
  }
  const stop = stopSignal(io);
  try {
    const steps = await (await modules.preflight())(options, { signal: stop.signal });
    const secrets = secretsOf(target).map(({ value }) => value);
    io.stdout(`${withoutSecrets(steps.map(stepText).join("\n"), secrets)}\n`);
    if (stop.signal.aborted) return exitCodes.interrupted;
    const ready = steps.length > 0 && steps.every(({ ok }) => ok);
    io.stdout(ready ? `\nReady for ${program} run.\n` : "\nNot ready: fix the steps marked with ✗.\n");
    return ready ? exitCodes.pass : exitCodes.inconclusive;
  } finally {
    stop.release();
  }
};
