import type { ClientFinding } from "../../model/run.ts";
import { plain } from "../../reports/sanitize.ts";
import { operationTitle } from "../../spec/operations.ts";

/** What a client does against what is stated, in one line. */
export const clientLine = ({ operation, text }: ClientFinding): string =>
  `client  ${operationTitle(operation)} ${plain(text, 300)}\n`;
