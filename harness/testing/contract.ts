import { bundledContract } from "../../spec/bundle.ts";
import { compileResponseSchemas } from "../judging/response-schemas.ts";

/** The contract, bundled as in a run. */
export const contract = await bundledContract();

/** The response schemas of the contract, compiled once for all tests of a file. */
export const schemas = compileResponseSchemas(contract);
