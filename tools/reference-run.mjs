import { optionsFor } from "../dist/cli/commands/reference-target.js";
import { createWarmEngine } from "../dist/engine/server/run.js";
import { configurationFor } from "../dist/settings/configuration.js";
import { makeCertificate } from "../dist/reference/certificate.js";
import { startReference } from "../dist/reference/server.js";

/** The customer on every reference server that a script starts. */
const customerId = "customer-1";

/**
 * Resolves to the options of a run against a reference server. `needs`: the settings that the
 * faults and variants of the server need.
 */
async function runOptionsFor({ needs = {}, ca, ...given }, settings = {}) {
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
 * Makes a function that runs the suite against reference servers over TLS, one after the other,
 * in one thread.
 */
export async function createRunner() {
  const { key, cert, ca } = await makeCertificate();
  const apiKey = "fxc_Scr1pts-Runs.0f31K8";
  const engine = createWarmEngine();
  /** `changes`: ids of faults and variants. `needs`: the settings that they need. */
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
