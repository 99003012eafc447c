import { optionsFor } from "../dist/cli/commands/reference-target.js";
import { createWarmEngine } from "../dist/engine/server/run.js";
import { configurationFor } from "../dist/settings/program-options.js";
import { makeCertificate } from "../dist/reference/certificate.js";
import { startReference } from "../dist/reference/server.js";

/** The customer of every reference server that a script starts. */
export const customerId = "customer-1";

/**
 * What a run against a reference server is started with. `needs` is what its faults and variants
 * need of a target.
 */
export async function runOptionsFor({ needs = {}, ca, ...given }, settings = {}) {
  const { options } = await configurationFor({
    customerId,
    seed: 1,
    ...optionsFor([{ needs }]),
    ...given,
  });
  return {
    ...options,
    target: { ...options.target, ca },
    settings: { ...options.settings, ...settings },
  };
}

/**
 * Runs the suite against one reference server over TLS after the other, in one engine: up to
 * `mostRuns` in one thread.
 */
export async function createRunner(mostRuns) {
  const { key, cert, ca } = await makeCertificate();
  const apiKey = "fxc_Scr1pts-Runs.0f31K8";
  const engine = createWarmEngine(mostRuns);
  /** `changes` are ids of faults and variants, and what they need of a target. */
  const run = async ({ needs, ...changes }, settings, events) => {
    const server = await startReference({ tls: { key, cert }, apiKey, customerId, ...changes });
    try {
      return await engine.run(
        await runOptionsFor({ baseUrl: server.baseUrl, apiKey, ca, needs }, settings),
        events,
      );
    } finally {
      await server.close();
    }
  };
  return { run, close: engine.close };
}
