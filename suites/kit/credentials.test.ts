import { expect, test } from "vitest";
import { valid, type RequestSpec } from "../../model/request.ts";
import { createBadCredentials } from "../run/bad-credentials.ts";
import { createContext } from "../run/context.ts";
import { runWith } from "../testing/sent-by.ts";
import { withTail } from "./altered.ts";
import { presentBad, type BadHeader } from "./credentials.ts";

const missing: BadHeader = {
  requirement: "AUTH-36",
  what: "without an Authorization header",
  authorization: null,
  isSoonAfterGood: true,
};
const altered: BadHeader = {
  requirement: "AUTH-38",
  what: "with a token with characters appended",
  altered: withTail,
};
const isAltered = ({ refusal }: RequestSpec): boolean => refusal?.derivedFrom !== undefined;

test("altered tokens go before what nothing waits for, beside the control of a missing token", async () => {
  const log: string[] = [];
  const { run } = runWith(({ intent, isUrgent, ...spec }) => {
    const urgent = isUrgent === true ? "urgent, " : "";
    if (intent.kind !== "invalid") log.push(`${urgent}good`);
    else log.push(`${urgent}${isAltered({ intent, ...spec }) ? "altered" : "missing"}`);
    return undefined;
  });
  const badCredentials = createBadCredentials<RequestSpec>({
    signs: () => 0,
    control: async () => true,
    quiet: async () => undefined,
    most: 8,
    isShort: () => false,
    hasLockedOut: () => false,
    isCalm: async () => {
      log.push("control");
      return true;
    },
    needsControl: (spec) => !isAltered(spec),
    isJudged: () => true,
    about: ({ refusal }) => refusal?.requirement,
  });
  const facts = { id: "tokens", title: "tokens", checks: [] };
  const context = createContext({ ...run, badCredentials }, facts);
  await presentBad(context, { operation: "listBatches", intent: valid }, [
    altered,
    missing,
    { ...altered, what: "once more" },
  ]);
  expect(log.filter((line) => line !== "control")).toEqual([
    "urgent, good",
    "urgent, missing",
    "urgent, altered",
    "urgent, altered",
    "urgent, good",
  ]);
  expect(log.indexOf("control")).toBeLessThan(log.lastIndexOf("urgent, altered"));
});
