import { existsSync, readFileSync } from "node:fs";
import { contractJsonPath, contractPath, type ContractDocument } from "../spec/contract.ts";

/**
 * The contract, bundled by swagger-parser: plain JSON whose references point into itself. Bundled once in a process.
 * The file is read here, because the parser reads a path as a URL, in which `#`, `?` and `%` have another meaning.
 * `json` is its location, for code that a bundler has moved.
 */
export const bundledContract = (json: URL = contractJsonPath): Promise<ContractDocument> => (bundled ??= bundle(json));

let bundled: Promise<ContractDocument> | undefined;

const bundle = async (json: URL): Promise<ContractDocument> => {
  const [{ default: parser }, contract] = await Promise.all([import("@apidevtools/swagger-parser"), contractOf(json)]);
  return (await parser.bundle(contract)) as unknown as ContractDocument;
};

/** In the source tree, the contract exists only as YAML. */
const contractOf = async (json: URL) =>
  existsSync(json)
    ? JSON.parse(readFileSync(json, "utf8"))
    : (await import("yaml")).parse(readFileSync(contractPath, "utf8"));
