import { bundledContract } from "../../spec/bundle.ts";
import { compileResponseSchemas } from "../judging/response-schemas.ts";

/** The contract as the engine hands it over. */
export const contract = await bundledContract();

/** The response schemas of the contract, compiled once for all tests of a file. */
export const schemas = compileResponseSchemas(contract);
