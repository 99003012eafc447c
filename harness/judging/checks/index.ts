import { acamResult } from "./acam.ts";
import { batchContents } from "./batch.ts";
import type { Check } from "./check.ts";
import { echo } from "./echo.ts";
import { identity } from "./identity.ts";
import { message } from "./message.ts";
import { newOperation } from "./operation.ts";
import { presence } from "./presence.ts";
import { schema } from "./schema.ts";

/** The standing checks, in the order in which they judge. */
export const checks: readonly Check[] = [
  message,
  schema,
  presence,
  newOperation,
  acamResult,
  batchContents,
  echo,
  identity,
];
