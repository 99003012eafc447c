import type { Command } from "./command.ts";
import { configurationOf } from "../configuration/configuration.ts";
import { exitCodes } from "../output/exit-code.ts";
import { stopSignal } from "../output/interruption.ts";
import { withoutSecrets } from "../output/secrets.ts";
import { stepText } from "../output/step-text.ts";

/** The preflight alone: what was found on the way to the target, and what to put right. */
export const doctor: Command = async (invocation, io, parts) => {
  const { options, warnings } = await configurationOf(invocation, io);
  for (const warning of warnings) io.stderr(`Warning: ${warning}\n`);
  const { target, settings } = options;
  if (settings.profile === "full") {
    io.stderr(
      `One counterparty is registered and one operation created at ${target.baseUrl}; their ids are told below. ` +
        "With --profile smoke nothing is created.\n",
    );
  }
  const stop = stopSignal(io);
  try {
    const steps = await (await parts.preflight())(options, { signal: stop.signal });
    const text = steps.map(stepText).join("\n");
    io.stdout(`${withoutSecrets(text, [options.target.apiKey])}\n`);
    if (stop.signal.aborted) return exitCodes.interrupted;
    const ready = steps.length > 0 && steps.every(({ ok }) => ok);
    io.stdout(ready ? "\nReady: fxconform run can ask this target.\n" : "\nNot ready: put right what is marked.\n");
    return ready ? exitCodes.pass : exitCodes.inconclusive;
  } finally {
    stop.release();
  }
};
