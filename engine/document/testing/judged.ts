import SwaggerParser from "@apidevtools/swagger-parser";
import type { OfflineOptions } from "../../../model/conclusion/whole-run.ts";
import type { Run } from "../../../model/run.ts";
import { requirementIds, type RequirementId } from "../../../spec/catalogue.ts";
import type { JsonObject } from "../../../spec/contract.ts";
import { documentRun } from "../judge.ts";

export const optionsForTests: OfflineOptions = {
  selection: requirementIds,
  strict: false,
  statement: [],
  baseline: [],
  replayCommand: "contract",
};

/** The run of a document that is in memory. */
export const judged = async (document: JsonObject): Promise<Run> => {
  const copy = JSON.parse(JSON.stringify(document)) as never;
  const whole = await SwaggerParser.dereference(copy);
  return documentRun(optionsForTests, "openapi.yaml", whole as unknown as JsonObject);
};

/** The requirements that a document contradicts: those that fail, and those with a warning. */
export const foundIn = ({ requirements }: Run): Readonly<Record<"fail" | "warn", readonly RequirementId[]>> => {
  const ids = (verdict: string) => requirements.filter((row) => row.verdict === verdict).map(({ id }) => id);
  return { fail: ids("fail"), warn: ids("warn") };
};
