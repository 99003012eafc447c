import { existsSync, readFileSync } from "node:fs";
import { contractJsonPath, contractPath, type ContractDocument } from "./contract.ts";

/**
 * The contract as one document, bundled once: every reference points into it. `json`: the place of
 * `openapi.json`, for code that a bundler has moved.
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

/** In the source tree, the contract exists only as YAML. */
async function contractOf(json: URL) {
  return existsSync(json)
    ? JSON.parse(readFileSync(json, "utf8"))
    : (await import("yaml")).parse(readFileSync(contractPath, "utf8"));
}
