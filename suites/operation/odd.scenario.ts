import { jsonSpellings, oddTexts } from "../../generators/index.ts";
import type { Pool, JsonSpelling, OddText } from "../../generators/index.ts";
import { invalid, unusual, type Intent, type RequestSpec } from "../../model/request.ts";
import type { Json } from "../../spec/json.ts";
import { amountSupply } from "../kit/amounts.ts";
import { exactIntent, oddText, textPool, operationBody } from "../kit/requests.ts";
import { operationRequest, observePrototypeMembers, observeTolerance } from "../kit/requests.ts";
import type { Core } from "../kit/context.ts";
import { sendEach } from "../kit/sampling.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { scenario } from "../kit/scenario.ts";
import { observing } from "../kit/observing.ts";
import { together } from "../kit/concurrency.ts";

/** Odd operations that break no stated rule: refusing them is not a violation, crashing is (INT-02, INT-04 and INT-31). */
export const oddOperations = [
  scenario(
    "operation/odd/spellings",
    "the same operation in other spellings of JSON",
    { requirements: ["OPER-06", "OPER-07", "OPER-08", "OPER-09"], operations: ["createOperation"], drawsTheSame: true },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context);
      const amount = amountSupply(context, 1 + spellings.items.length);
      await createOperation(context, { counterparty, amount: amount() });
      await sendEach(context, spellings, ({ id, textOf }) => {
        const text = textOf(operationBody(context, { counterparty, amount: amount() }));
        const spec: RequestSpec = { operation: "createOperation", intent: unusual(`written with ${id}`), text };
        return observing(spec, "OPEN-28", `POST /corporate/operation written with ${id}`);
      });
    },
  ),
  scenario(
    "operation/odd/values",
    "odd texts and amounts in an operation",
    { requirements: ["OPER-17"], operations: ["createOperation"], drawsTheSame: true },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context);
      const next = amountSupply(context, 7);
      await createOperation(context, { counterparty, amount: next() });
      const whole = operationBody(context, { counterparty, amount: next() });
      const changed = (members: Readonly<Record<string, Json>>, intent?: Intent): RequestSpec =>
        operationRequest({ ...whole, ...members }, intent);
      const another = (): RequestSpec => changed({ currency_amount: next() });
      // These are not pairs or ids, so their echoes are not judged (INT-12).
      const textsIn = (member: string, always: number): Promise<unknown> =>
        sendEach(context, textPool(`/${member}`, always), (odd) =>
          oddText(changed({ [member]: odd.text }, invalid(`with ${odd.id} in /${member}`)), odd, `/${member}`),
        );
      await together([
        // Any text may be a purpose: one that is accepted comes back as it was sent (INT-18).
        sendEach(context, oddPurposes, (odd) => {
          const intent = exactIntent(odd, "/operation_purpose");
          return oddText(changed({ operation_purpose: odd.text }, intent), odd, "/operation_purpose");
        }),
        textsIn("currency_pair", 3),
        textsIn("counterparty_id", 4),
        sendEach(context, oddPairs, (pair) => changed({ currency_pair: pair }, invalid(`with the pair ${pair}`))),
      ]);
      const amount = next();
      // Members that a client cannot decide: the response is still that of a new operation (INT-18).
      const decided = { currency_amount: next(), status: "settled", batch_id: `batch-${context.run.runId}` };
      await together([
        sendEach(context, mediaTypes, (contentType) => ({
          ...changed({ currency_amount: amount }, declaredAs(contentType)),
          contentType,
        })),
        sendEach(context, oddAmounts(context.run, whole.currency_amount), ({ id, value, isExtreme }) => {
          const intent = (isExtreme ? invalid : unusual)(`with an amount of ${id}`);
          return observing(changed({ currency_amount: value }, intent), "OPEN-29", id);
        }),
        observeTolerance(context, another(), another()),
        context.send(changed(decided, unusual("with a status and a batch_id"))),
        observePrototypeMembers(context, another()),
      ]);
    },
  ),
];

const spellings: Pool<JsonSpelling> = { name: "spellings of JSON", items: jsonSpellings, always: 6 };

/** Whether servers that trim change it, and must not. */
const isTrimmed = ({ text, fragile }: OddText): boolean => fragile !== "anywhere" && text.trim() !== text;

const oddPurposes = textPool("/operation_purpose", 8, [
  ...oddTexts.filter(isTrimmed),
  ...oddTexts.filter((odd) => !isTrimmed(odd)),
]);

/** Pairs of real currencies that few servers trade, and spellings of real pairs. */
const oddPairs: Pool<string> = {
  name: "odd pairs",
  items: ["USDUSD", "BRLUSD", "usdbrl", "USD/BRL", "XAUBRL", "USDBRL ", "XXXXTS", "USDBRLUSDBRL", "BRL", "USD-BRL"],
  always: 3,
};

const mediaTypes: Pool<string | null> = {
  name: "media types of an operation",
  items: [
    null,
    "application/json; charset=utf-8",
    "multipart/form-data",
    "application/json; charset=",
    "Application/JSON;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "application/xml",
    "application/json; charset=latin-1",
    "multipart/form-data; boundary=",
    "application/merge-patch+json",
    "json",
  ],
  always: 4,
};

/** A parameter is legal and may be refused; what is not JSON, or not declared, may be refused or read. */
const declaredAs = (contentType: string | null): Intent => {
  if (contentType === null) return invalid("without a Content-Type");
  const isLegal = /^application\/json; ?charset=utf-8$/i.test(contentType);
  return (isLegal ? unusual : invalid)(`declared as ${contentType}`);
};

/** More decimals or larger amounts may be refused; accepted ones come back as sent (INT-09), but for extreme ones. */
const oddAmounts = ({ target }: Core["run"], amount: number): Pool<ReturnType<typeof oddAmount>> => ({
  name: "odd amounts",
  items: [
    oddAmount(amount + 0.123456789, "nine decimals"),
    oddAmount(amount + 0.1234567890123456, "as many digits as a double holds"),
    ...[0.005, 27_182.81, 31_415_926.53].map((value) => oddAmount(value)),
    oddAmount(2 ** 31, "2^31"),
    oddAmount(2 ** 53, "2^53"),
    oddAmount(1e20, "10^20, an integer beyond 64 bits", true),
    oddAmount(1e15 + 0.5),
    oddAmount(target.amount.max * 10, "ten times the largest configured amount"),
    ...[1e-9, 1e308, -0].map((value) => oddAmount(value, Object.is(value, -0) ? "-0" : String(value), true)),
    oddAmount(314_159.27),
    oddAmount(5e-324, undefined, true),
  ],
  always: 13,
});

const oddAmount = (value: number, id = String(value), isExtreme = false) => ({ id, value, isExtreme });
