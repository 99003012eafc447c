import * as v from "valibot";
import type { KnownFailure } from "../model/run-options.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { checkedFile } from "./file.ts";
import { message } from "./kinds/kind.ts";
import { suggestion } from "./problem.ts";

const texts = {
  requirement: "must be the id of a requirement",
  reason: "must say why the failure is tolerated",
  expires: "must be a day such as 2030-01-31",
  finding: "must be { expected, actual }",
} as const;

const isDay = (text: string): boolean =>
  new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

export const baselineSchema: v.GenericSchema<unknown, readonly KnownFailure[]> = v.pipe(
  v.array(
    v.strictObject(
      {
        requirement: v.pipe(
          v.picklist(requirementIds, ({ input }) =>
            message(texts.requirement, suggestion(String(input), requirementIds)),
          ),
          v.description("Id of the requirement that fails."),
        ),
        reason: v.pipe(
          v.string(texts.reason),
          v.regex(/\S/, texts.reason),
          v.description("Why it is tolerated."),
        ),
        expires: v.pipe(
          v.string(texts.expires),
          v.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, texts.expires),
          v.check(isDay, texts.expires),
          v.description("Last day on which it is tolerated, which ends in UTC: 2030-01-31."),
        ),
        finding: v.exactOptional(
          v.pipe(
            v.strictObject(
              { expected: v.string(texts.finding), actual: v.string(texts.finding) },
              texts.finding,
            ),
            v.description(
              "The cause that is known, as report.json has it; a failure with another cause is not tolerated.",
            ),
          ),
        ),
      },
      ({ expected, path }) => {
        const key = String(path?.at(-1)?.key);
        return expected === "never"
          ? message("is not a member of an entry", suggestion(key, Object.keys(texts)))
          : (texts[key as keyof typeof texts] ?? "must be an entry of a baseline");
      },
    ),
    "must be a list of { requirement, reason, expires }",
  ),
  v.checkItems(
    ({ requirement }, index, all) =>
      all.findIndex((one) => one.requirement === requirement) === index,
    message("names a requirement that an earlier entry names", "Keep one of the two."),
  ),
);

/** Reads and checks a baseline file. Throws `UsageError`. */
export function readBaseline(path: string, where: string): Promise<readonly KnownFailure[]> {
  return checkedFile(baselineSchema, path, where, "Write [] if no failure is known.");
}
