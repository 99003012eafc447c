import { readFileSync } from "node:fs";
import { contractPath, type ContractDocument } from "../spec/contract.ts";

/**
 * The contract, bundled by swagger-parser: plain JSON whose references point into itself. Made once in a process. It is
 * read here, as the parser takes a path for an address, in which `#`, `?` and `%` mean something else.
 */
export const bundledContract = (): Promise<ContractDocument> => (bundled ??= bundle());

let bundled: Promise<ContractDocument> | undefined;

const bundle = async (): Promise<ContractDocument> => {
  const [{ default: parser }, { parse }] = await Promise.all([import("@apidevtools/swagger-parser"), import("yaml")]);
  return (await parser.bundle(parse(readFileSync(contractPath, "utf8")))) as unknown as ContractDocument;
};
