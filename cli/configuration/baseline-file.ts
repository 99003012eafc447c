import { existsSync } from "node:fs";
import { basename } from "node:path";
import { program } from "../output/command-line.ts";
import type { KnownFailure } from "../../model/gate.ts";
import { isRequirementId, requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import { parsedFile } from "./config-file.ts";
import { UsageError, type Problem } from "./problem.ts";
import { suggestion } from "./suggestion.ts";

/**
 * Reads a baseline: a list of `{ requirement, reason, expires }`, all three needed, and optionally `finding`, the cause
 * that is known. Throws `UsageError`. A file that may be missing is then an empty list.
 */
export async function readBaseline(
  path: string,
  where: string,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): Promise<readonly KnownFailure[]> {
  if (mayBeMissing && !existsSync(path)) return [];
  const value = await parsedFile(path, where);
  const file = basename(path);
  if (!Array.isArray(value)) {
    const what =
      value === null || value === undefined ? "is empty" : "must be a list of { requirement, reason, expires }";
    throw new UsageError([{ where: file, what, advice: "Write [] if no failure is known." }]);
  }
  const problems: Problem[] = [];
  const seen = new Set<RequirementId>();
  const known = value.flatMap((entry: unknown, index) => {
    const place = `entry ${index + 1} in ${file}`;
    const { requirement, reason, expires, finding, ...rest } = (
      typeof entry === "object" ? (entry ?? {}) : {}
    ) as Record<string, unknown>;
    const id = typeof requirement === "string" ? requirement.toUpperCase() : "";
    const wrong: Problem[] = Object.keys(rest).map((key) => ({
      where: `${key} of ${place}`,
      what: "is not a member of an entry",
      advice: suggestion(key, ["requirement", "reason", "expires", "finding"]),
    }));
    if (!isRequirementId(id)) wrong.push(unknownRequirement(requirement, place));
    else if (seen.has(id)) wrong.push({ where: `requirement of ${place}`, what: "is there twice", found: id });
    if (typeof reason !== "string" || reason.trim() === "") {
      wrong.push({ where: `reason of ${place}`, what: "must say why the failure is tolerated", found: shown(reason) });
    }
    if (typeof expires !== "string" || !isDay(expires)) {
      wrong.push({ where: `expires of ${place}`, what: "must be a day such as 2030-01-31", found: shown(expires) });
    }
    if (finding !== undefined && !isCause(finding)) {
      wrong.push({ where: `finding of ${place}`, what: "must be { expected, actual }", found: shown(finding) });
    }
    problems.push(...wrong);
    if (wrong.length > 0 || !isRequirementId(id)) return [];
    seen.add(id);
    const failure = { requirement: id, reason: String(reason), expires: String(expires) };
    return [isCause(finding) ? { ...failure, finding } : failure];
  });
  if (problems.length > 0) throw new UsageError(problems);
  return known;
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

function isCause(value: unknown): value is NonNullable<KnownFailure["finding"]> {
  if (typeof value !== "object" || value === null) return false;
  const { expected, actual, ...rest } = value as Record<string, unknown>;
  return typeof expected === "string" && typeof actual === "string" && Object.keys(rest).length === 0;
}

const shown = (value: unknown): string | undefined => (typeof value === "string" ? value : JSON.stringify(value));

const unknownRequirement = (value: unknown, place: string): Problem => ({
  where: `requirement of ${place}`,
  what: "must be the id of a requirement",
  found: shown(value),
  advice: typeof value === "string" ? suggestion(value, requirementIds) : `${program} list shows them.`,
});
