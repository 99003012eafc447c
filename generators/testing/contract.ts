import { bundledContract } from "../../spec/bundle.ts";
import type { Domain } from "../deals.ts";

/** The contract, as the engine reads it. */
export const contract = await bundledContract();

/** A domain with usual values. */
export const domain: Domain = {
  currencyPairs: ["USDBRL", "EURBRL"],
  otherPurposes: ["IMPORT"],
  amount: { min: 10, max: 1000, decimals: 2 },
};
