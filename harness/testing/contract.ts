import SwaggerParser from "@apidevtools/swagger-parser";
import { fileURLToPath } from "node:url";
import { contractPath, type ContractDocument } from "../../spec/contract.ts";
import { compileResponseSchemas } from "../judging/response-schemas.ts";

/** The contract as the engine hands it over. */
export const contract = (await SwaggerParser.bundle(fileURLToPath(contractPath))) as unknown as ContractDocument;

/** Its response schemas, compiled once for all tests of a file. */
export const schemas = compileResponseSchemas(contract);
