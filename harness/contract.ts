import { existsSync, readFileSync } from "node:fs";
import { contractJsonPath, contractPath, type ContractDocument } from "../spec/contract.ts";

/** The contract, read once. `json`: its place, if a bundler moved the code. In the source tree, it exists only as YAML. */
export const readContract = async (json: URL = contractJsonPath): Promise<ContractDocument> =>
  (known ??= existsSync(json)
    ? JSON.parse(readFileSync(json, "utf8"))
    : (await import("yaml")).parse(readFileSync(contractPath, "utf8")));

let known: ContractDocument | undefined;
