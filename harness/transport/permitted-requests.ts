import { operations } from "../../spec/operations.ts";
import type { ClientBounds } from "./client.ts";
import type { Profile } from "../../model/target.ts";

/** The only requests that a profile may send: `smoke` nothing that creates, `full` anything (undefined). */
export const requestsOf = (profile: Profile): ClientBounds["only"] =>
  profile === "smoke" ? [operations.createToken, operations.listBatches] : undefined;
