import { existsSync, readFileSync } from "node:fs";
import { contractJsonPath, contractPath, type ContractDocument } from "./contract.ts";

/**
 * Returns the contract as one document, whose references all point into the document itself. It is
 * read only once. `json`: the place of `openapi.json`, for code that a bundler has moved.
 */
export function bundledContract(json: URL = contractJsonPath): Promise<ContractDocument> {
  bundled ??= read(json);
  return bundled;
}

let bundled: Promise<ContractDocument> | undefined;

/** Reads what the build has bundled, or YAML in the source tree, which has no `openapi.json`. */
async function read(json: URL): Promise<ContractDocument> {
  return existsSync(json)
    ? (JSON.parse(readFileSync(json, "utf8")) as ContractDocument)
    : ((await import("yaml")).parse(readFileSync(contractPath, "utf8")) as ContractDocument);
}
