import { operations } from "../../spec/operations.ts";
import type { ClientBounds } from "./client.ts";
import type { Profile } from "../../model/target.ts";

/** The only requests that a profile may send; `smoke` sends nothing that creates, `full` whatever it likes. */
export const requestsOf = (profile: Profile): ClientBounds["only"] =>
  profile === "smoke" ? [operations.createToken, operations.listBatches] : undefined;
