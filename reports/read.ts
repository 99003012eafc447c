import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv";
import schema from "./report.schema.json" with { type: "json" };
import { plain } from "./sanitize.ts";
import { formatVersion, type Run } from "../model/run.ts";
import { memberOf, type Json } from "../spec/json.ts";

/**
 * Thrown for a text that is not a report of this `formatVersion`. The message says what was found,
 * where, and what to do.
 */
export class ReportError extends Error {
  override readonly name = "ReportError";
}

/**
 * Reads a run from the text of a `report.json`, and checks it against `report.schema.json`. @throws
 * {ReportError}
 */
export function readRun(text: string): Run {
  const value = parsed(text);
  const version = memberOf(value as Json, "formatVersion");
  if (version === undefined)
    throw new ReportError(
      "This is JSON, but not a report of fxconform: it has no formatVersion. Give a report.json.",
    );
  if (version !== formatVersion) {
    throw new ReportError(
      `The report has formatVersion ${plain(JSON.stringify(version), 40)}; this fxconform reads ${formatVersion}. ` +
        "Use the version of fxconform that wrote it.",
    );
  }
  check ??= new Ajv2020({ strict: true }).compile<Run>(schema);
  if (!check(value)) throw new ReportError(refusal(check.errors ?? []));
  // `$schema` names the format and is not a part of the run.
  const { $schema: _, ...run } = value as Run & { readonly $schema?: string };
  return run;
}

function parsed(text: string): unknown {
  if (text.trim() === "")
    throw new ReportError("The report is empty. Give a report.json that fxconform wrote.");
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    // The text that the message quotes is left out, because the user may have named a wrong file,
    // and that file may contain a secret.
    const why = (error instanceof Error ? error.message : String(error)).replace(
      /, (\.\.\.)?".*$/s,
      "",
    );
    throw new ReportError(
      `The report is not JSON: ${plain(why, 200)}. Give a report.json that fxconform wrote.`,
    );
  }
}

// The schema is compiled when it is first used, because most commands read no report.
let check: ValidateFunction<Run> | undefined;

function refusal([first]: readonly ErrorObject[]): string {
  const { instancePath = "", message = "differs" } = first ?? {};
  const place = instancePath === "" ? "at its top" : `at ${plain(instancePath, 200)}`;
  return (
    `The report does not have the form of report.schema.json: ${place} it ${message}. ` +
    "It was changed or cut short. Make it again with fxconform run."
  );
}
