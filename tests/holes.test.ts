import { expect, test } from "vitest";
import { faults } from "../reference/deviations/index.ts";
import { groups } from "../model/groups.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { referenceRuns } from "./reference-run.ts";

const { fxconform, against } = referenceRuns("holes-key-6b1f");

/** A legal server, and a plain fault beside or inside its unusual behaviour. */
const rows: readonly (readonly [variant: string, fault: string])[] = [
  ["base-path-encoded", "acam-invalid-error-object"],
  ["base-path-bytes", "counterparty-invalid-redirected"],
  ["ids-percents", "acam-invalid-error-object"],
  ["strangers-put-off", "list-made-up-token"],
  ["unavailable-in-bursts", "crash-batch-malformed"],
  ["methods-redirected", "batch-invalid-redirected"],
  ["refusals-431", "acam-invalid-error-object"],
  ["refusals-431", "counterparty-id-same"],
  ["refusals-414", "counterparty-invalid-redirected"],
];

function brokenBy(fault: string): RequirementId {
  const found = faults.find(({ id }) => id === fault);
  return found?.breaks ?? expect.fail(`no fault ${fault}`);
}

// The scenarios that an area has for this requirement send the requests that crash the server.
function selectionOf(only: RequirementId): string {
  return only === "HTTP-04" ? `${only},BATCH-08` : only;
}

test.each(rows)(
  "%s with %s: what it breaks fails",
  { timeout: 120_000 },
  async (variant, fault) => {
    const only = brokenBy(fault);
    await against({ variants: [variant], faults: [fault] }, async (words) => {
      const { verdictOf } = await fxconform(["run", ...words, "--only", selectionOf(only)]);
      expect(verdictOf(only)).toBe("fail");
    });
  },
);

const rowsByVariant = groups(rows, ([variant]) => variant);

test.each([...rowsByVariant])(
  "%s without a fault passes",
  { timeout: 120_000 },
  async (variant, own) => {
    const asked = own.map(([, fault]) => brokenBy(fault));
    await against({ variants: [variant] }, async (words) => {
      const selection = asked.map(selectionOf).join(",");
      const { run, verdictOf } = await fxconform(["run", ...words, "--only", selection]);
      expect(asked.map(verdictOf)).toEqual(asked.map(() => "pass"));
      expect(run.outcome).toBe("partial");
    });
  },
);
