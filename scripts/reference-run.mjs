import { requirementIds } from "../dist/spec/catalogue.js";

/** The customer of every reference server that a script starts. */
export const customerId = "customer-1";

/**
 * Options of a run of all requirements against a reference server; `target` needs its `baseUrl` and its `apiKey`, and
 * both parameters replace what stands here.
 */
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
