import { fileURLToPath } from "node:url";
import { contractPath, type ContractDocument } from "../spec/contract.ts";

/** The contract, read and bundled by swagger-parser: plain JSON whose references point into itself. */
export const bundledContract = async (): Promise<ContractDocument> => {
  const { default: parser } = await import("@apidevtools/swagger-parser");
  return (await parser.bundle(fileURLToPath(contractPath))) as unknown as ContractDocument;
};
