import { onTestFinished } from "vitest";
import { createRunContext } from "../engine/server/worker/run-context.ts";
import { compileResponseSchemas } from "../harness/judging/response-schemas.ts";
import type { RunSettings, Target } from "../model/target.ts";
import { bundledContract } from "../spec/bundle.ts";

/**
 * Starts a run against a target in this thread. The test itself sends its requests. The run is
 * closed when the test ends.
 */
export async function startedRun(target: Target, settings: RunSettings) {
  const run = createRunContext(
    {
      target,
      settings,
      runId: "1",
      replayCommand: "",
      userAgent: "fxconform/test",
      traced: false,
    },
    compileResponseSchemas(await bundledContract()),
    () => undefined,
    new AbortController().signal,
  );
  onTestFinished(() => run.client.close());
  return run;
}
