import { expect, test } from "vitest";
import type { Finding, Run } from "../model/run.ts";
import { executed } from "./execution.ts";
import { referenceRuns } from "./reference-run.ts";

const apiKey = "curl-test-key-8f2c";
const { against, fxconform } = referenceRuns(apiKey);

/** Faults that together cause at least twenty failures. */
const faults = [
  "operation-invalid-422",
  "list-empty-for-strangers-later",
  "acam-message-full-stop",
  "acam-status-ok",
  "batch-pair-slash",
  "counterparty-malformed-error-renamed",
  "counterparty-external-id-null",
];

test(
  "the printed curl commands get the same responses as the run",
  { timeout: 120_000, tags: "curl" },
  async () => {
    const pairs = await against({ faults }, async (words) => {
      const { run } = await fxconform(["run", ...words]);
      const failures = run.requirements
        .filter(({ verdict }) => verdict === "fail")
        .flatMap(({ id, findings }) => {
          // A body that the report has cut cannot be compared.
          const finding = findings.find(
            (one) => one.curl !== "" && !exchangeOf(run, one)?.response?.body.endsWith("…"),
          );
          return finding === undefined ? [] : [{ id, finding }];
        });
      expect(failures.length).toBeGreaterThanOrEqual(20);
      const made = [];
      for (const { id, finding } of failures) {
        const script = `${run.tokenCommand ?? ""}\n${finding.curl}`;
        const { stdout: text } = await executed("sh", ["-c", script], {
          env: { ...process.env, FXCONFORM_API_KEY: apiKey },
        });
        const { status = 0, body = "" } = exchangeOf(run, finding)?.response ?? {};
        made.push({
          id,
          status,
          now: Number(text.split(" ")[1]),
          isSame: status < 400 || text.endsWith(body),
        });
      }
      return made;
    });
    expect(pairs.filter(({ status, now, isSame }) => status !== now || !isSame)).toEqual([]);
  },
);

function exchangeOf({ exchanges }: Run, { exchange }: Finding) {
  return exchanges.find(({ id }) => id === exchange);
}
