import { existsSync, readFileSync } from "node:fs";
import { contractJsonPath, contractPath, type ContractDocument } from "../spec/contract.ts";

/**
 * The contract, bundled by swagger-parser: plain JSON whose references point into itself. Made once in a process. It is
 * read here, as the parser takes a path for an address, in which `#`, `?` and `%` mean something else.
 */
export const bundledContract = (): Promise<ContractDocument> => (bundled ??= bundle());

let bundled: Promise<ContractDocument> | undefined;

const bundle = async (): Promise<ContractDocument> => {
  const [{ default: parser }, contract] = await Promise.all([import("@apidevtools/swagger-parser"), contractOf()]);
  return (await parser.bundle(contract)) as unknown as ContractDocument;
};

/** The source has the contract as YAML alone. */
const contractOf = async () =>
  existsSync(contractJsonPath)
    ? JSON.parse(readFileSync(contractJsonPath, "utf8"))
    : (await import("yaml")).parse(readFileSync(contractPath, "utf8"));
