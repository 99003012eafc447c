import { operationTitle } from "../../spec/operations.ts";
import { plural } from "../../model/plural.ts";
import type { ClientFinding } from "../../model/run.ts";

/** The title of the findings about clients. They do not count against the server. */
export const clientFindingsTitle = "Mistakes of clients";

/** `POST /batches without an Authorization header: 3 requests, first in run.har, entry 12`. */
export const clientFindingText = ({ operation, text, count, example }: ClientFinding): string =>
  `${operationTitle(operation)} ${text}: ${plural(count, "request")}, first in ${example}`;
