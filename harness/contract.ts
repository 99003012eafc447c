import { existsSync, readFileSync } from "node:fs";
import { contractJsonPath, contractPath, type ContractDocument } from "../spec/contract.ts";

/**
 * The contract, bundled by swagger-parser: plain JSON whose references point into itself. Made once in a process. It is
 * read here, as the parser takes a path for an address, in which `#`, `?` and `%` mean something else. `json` is where it
 * lies, for code that a bundler has moved.
 */
export const bundledContract = (json: URL = contractJsonPath): Promise<ContractDocument> => (bundled ??= bundle(json));

let bundled: Promise<ContractDocument> | undefined;

const bundle = async (json: URL): Promise<ContractDocument> => {
  const [{ default: parser }, contract] = await Promise.all([import("@apidevtools/swagger-parser"), contractOf(json)]);
  return (await parser.bundle(contract)) as unknown as ContractDocument;
};

/** The source has the contract as YAML alone. */
const contractOf = async (json: URL) =>
  existsSync(json)
    ? JSON.parse(readFileSync(json, "utf8"))
    : (await import("yaml")).parse(readFileSync(contractPath, "utf8"));
