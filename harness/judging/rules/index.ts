import type { Exchange } from "../../../model/exchange.ts";
import { acamResult } from "./acam.ts";
import { batchContents } from "./batch.ts";
import type { Check } from "./rule.ts";
import { echo } from "./echo.ts";
import { identity } from "./identity.ts";
import { crash, message } from "./message.ts";
import { newOperation } from "./operation.ts";
import { presence, reportedFailure } from "./presence.ts";
import { schema } from "./schema.ts";

/** The standing checks, in the order in which they judge. */
const checks: readonly Check[] = [message, schema, presence, newOperation, acamResult, batchContents, echo, identity];

/**
 * The checks that judge an exchange, the only place that leaves some out: of what an interpretation exempts, only a
 * crash is judged; of the response to an invalid request, what holds whatever the server makes of it (INT-12).
 */
export const checksOf = ({ exemptBy, intent }: Pick<Exchange, "exemptBy" | "intent">): readonly Check[] =>
  exemptBy !== undefined ? [crash] : intent.kind === "invalid" ? [message, reportedFailure] : checks;
