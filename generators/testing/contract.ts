import SwaggerParser from "@apidevtools/swagger-parser";
import { fileURLToPath } from "node:url";
import { contractPath, type ContractDocument } from "../../spec/contract.ts";
import type { Domain } from "../sources.ts";

/** The contract, bundled as the engine bundles it. */
export const contract = (await SwaggerParser.bundle(
  fileURLToPath(contractPath),
)) as unknown as ContractDocument;

/** A domain with usual values. */
export const domain: Domain = {
  currencyPairs: ["USDBRL", "EURBRL"],
  otherPurposes: ["IMPORT"],
  amount: { min: 10, max: 1000, decimals: 2 },
};
