import { bundledContract } from "../../spec/bundle.ts";
import { compileResponseSchemas } from "../judging/response-schemas.ts";

/** The contract as the engine hands it over. */
export const contract = await bundledContract();

/** Its response schemas, compiled once for all tests of a file. */
export const schemas = compileResponseSchemas(contract);
