import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineOptions } from "../../../model/run-options.ts";
import type { Run } from "../../../model/run.ts";
import { temporaryFolder } from "../../../model/testing/temporary-folder.ts";
import { requirementIds, type RequirementId } from "../../../spec/catalogue.ts";
import type { Json } from "../../../spec/json.ts";
import { documentRun, judgeDocument } from "../document-run.ts";
import { rootOf } from "../place.ts";

export const optionsForTests: OfflineOptions = {
  selection: requirementIds,
  strict: false,
  statement: [],
  baseline: [],
  replayCommand: "contract",
};

/** Judges a document in memory. It has no lines, so that every finding is at line 1. */
export function judged(document: unknown): Promise<Run> {
  const name = "openapi.yaml";
  const { openapi } = document as { readonly openapi: string };
  const open = (): never => {
    throw new Error("the document refers to a file");
  };
  const value = JSON.parse(JSON.stringify(document)) as Json;
  const root = rootOf({ name, value, lines: [], positionOf: () => ({ line: 1, column: 1 }), open });
  const version = openapi.startsWith("3.0") ? "3.0" : "3.1";
  return documentRun(optionsForTests, { name, root, version, cost: { schemas: 0 } }, Date.now());
}

/** Judges a document that is given as text. */
export function judgedText(text: string): Promise<Run> {
  const path = join(temporaryFolder(), "openapi.yaml");
  writeFileSync(path, text);
  return judgeDocument(optionsForTests, { source: "openapi.yaml", path });
}

/** The requirements that a document contradicts: those that fail, and those that warn. */
export function foundIn({
  requirements,
}: Run): Readonly<Record<"fail" | "warn", readonly RequirementId[]>> {
  const ids = (verdict: string) =>
    requirements.filter((row) => row.verdict === verdict).map(({ id }) => id);
  return { fail: ids("fail"), warn: ids("warn") };
}
