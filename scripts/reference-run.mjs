import { createWarmEngine } from "../dist/engine/run.js";
import { makeCertificate } from "../dist/reference/certificate.js";
import { startReference } from "../dist/reference/server.js";
import { requirementIds } from "../dist/spec/catalogue.js";

/** The customer of every reference server that a script starts. */
export const customerId = "customer-1";

/** Options of a run against a reference server; `target` and `settings` replace what stands here. */
export const runOptionsFor = (target, settings = {}) => ({
  target: {
    customerId,
    currencyPairs: ["USDBRL", "EURBRL"],
    otherPurposes: ["IMPORT"],
    amount: { min: 10, max: 1000, decimals: 2 },
    insecure: false,
    allowHttp: false,
    ...target,
  },
  settings: {
    profile: "full",
    selection: requirementIds,
    seed: 1,
    runs: 25,
    concurrency: 8,
    timeout: 10_000,
    grace: 5000,
    maxBody: 128 * 1024 * 1024,
    ...settings,
  },
  strict: false,
  statement: [],
  baseline: [],
});

/** Runs the suite against one reference server over TLS after the other, in one engine. */
export const createRunner = async () => {
  const { key, cert, ca } = await makeCertificate();
  const apiKey = "fxc_Scr1pts-Runs.0f31K8";
  const engine = createWarmEngine();
  /** `changes` are ids of faults and variants; `own` replaces what the run knows of the target. */
  const run = async (changes, settings, own, events) => {
    const server = await startReference({ tls: { key, cert }, apiKey, customerId, ...changes });
    try {
      return await engine.run(runOptionsFor({ baseUrl: server.baseUrl, apiKey, ca, ...own }, settings), events);
    } finally {
      await server.close();
    }
  };
  return { run, close: engine.close };
};
