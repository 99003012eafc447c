/** Most requests of a run that may create something, which the client keeps to. */
export { mostCreations } from "../harness/transport/creation-bound.ts";
