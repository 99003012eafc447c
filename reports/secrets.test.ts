import { expect, test } from "vitest";
import { redactionOf } from "../model/evidence/redaction.ts";
import type { Run } from "../model/run.ts";
import { holdsSecret, reportText } from "./saving.ts";

const secret = `k3y/+Ab=~Zq_&<>"'9é😀`;

/** A run with a text of the server. */
const runWith = (text: string): Run => ({ warnings: [text] }) as unknown as Run;

test("a report is refused for a secret in a text of the server, and for no word of its own", () => {
  const run = runWith(`a ${secret}`);
  const render = ({ warnings }: Run): string => `{"name":"fxconform"} ${warnings.join(" ")}`;
  expect(reportText(run, render, redactionOf([secret]))).toBeUndefined();
  expect(holdsSecret(run, redactionOf([secret]))).toBe(true);
  expect(reportText(runWith("a text"), render, redactionOf([secret, '"fxconform"']))).toBe(
    '{"name":"fxconform"} a text',
  );
});

test("texts that show a secret only as a report writes them are left out of it", () => {
  const run = runWith("<abc&def>");
  const render = ({ warnings }: Run): string => warnings.join(" ").replaceAll("<", "&lt;");
  expect(reportText(run, render, redactionOf(["&lt;abc&"]))).toBe("[left out]");
});
