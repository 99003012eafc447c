import { setImmediate as nextTurn } from "node:timers/promises";
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

test("altered tokens and their control go before what nothing waits for, beside the control of a missing token", async () => {
  const log: string[] = [];
  let answer: (() => void) | undefined;
  const answered = new Promise<boolean>((resolve) => (answer = () => resolve(true)));
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
    isCalm: () => answered,
    needsControl: (spec) => !isAltered(spec),
    isJudged: () => true,
    about: ({ refusal }) => refusal?.requirement,
  });
  const facts = { id: "tokens", title: "tokens", checks: [] };
  const context = createContext({ ...run, badCredentials }, facts);
  const rows = [altered, missing, { ...altered, what: "once more" }];
  const presenting = presentBad(context, { operation: "listBatches", intent: valid }, rows);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(log).toEqual([
    "urgent, good",
    "urgent, missing",
    "urgent, altered",
    "urgent, altered",
    "urgent, good",
  ]);
  answer?.();
  await presenting;
});
