import type { ClientFinding } from "../../model/run.ts";
import { plain } from "../../reports/sanitize.ts";
import { operationTitle } from "../../spec/operations.ts";

/** A rule that a client breaks, in one line. */
export const clientLine = ({ operation, text }: ClientFinding): string =>
  `client  ${operationTitle(operation)} ${plain(text, 300)}\n`;
