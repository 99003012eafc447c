import { existsSync, readFileSync } from "node:fs";
import { contractJsonPath, contractPath, type ContractDocument } from "./contract.ts";

/**
 * Returns the contract as one document, whose references all point into the document itself. It is
 * bundled only once. `json`: the place of `openapi.json`, for code that a bundler has moved.
 */
export function bundledContract(json: URL = contractJsonPath): Promise<ContractDocument> {
  bundled ??= bundle(json);
  return bundled;
}

let bundled: Promise<ContractDocument> | undefined;

async function bundle(json: URL): Promise<ContractDocument> {
  const [{ default: parser }, contract] = await Promise.all([
    import("@apidevtools/swagger-parser"),
    contractOf(json),
  ]);
  return (await parser.bundle(contract)) as unknown as ContractDocument;
}

/** Reads the contract from `json`, or from YAML in the source tree, which has no `openapi.json`. */
async function contractOf(json: URL) {
  return existsSync(json)
    ? JSON.parse(readFileSync(json, "utf8"))
    : (await import("yaml")).parse(readFileSync(contractPath, "utf8"));
}
