import { requirementIds } from "../../spec/catalogue.ts";
import type { RunSettings, Target } from "../target.ts";

/** A target with usual values. */
export const target: Target = {
  baseUrl: "https://fx.example:8443/api",
  apiKey: "the-key-of-the-client",
  customerId: "cust",
  currencyPairs: ["USDBRL"],
  otherPurposes: [],
  amount: { min: 10, max: 1000, decimals: 2 },
  insecure: false,
  allowHttp: false,
};

/** Settings of a full run of everything, with short time-outs. */
export const settings: RunSettings = {
  profile: "full",
  selection: requirementIds,
  seed: 1147,
  runs: 25,
  concurrency: 8,
  timeout: 1000,
  grace: 500,
  maxBody: 1_000_000,
};
