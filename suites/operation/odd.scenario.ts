import { jsonSpellings, oddTexts, type JsonSpelling, type OddText, type Pool } from "../../generators/index.ts";
import { invalid, unusual, type Intent, type RequestSpec } from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import { exactIntent, oddText, textPool } from "../kit/bodies/odd-texts.ts";
import type { Context } from "../kit/context.ts";
import { sendEach } from "../kit/draw.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { observing } from "../kit/observing.ts";
import { observePrototypeMembers, observeTolerance, operationBody, operationRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { together } from "../kit/together.ts";

/** Odd operations that break no stated rule: refusing them is not a violation, crashing is (INT-02, INT-04 and INT-31). */
export const oddOperations = [
  scenario(
    "operation/odd/spellings",
    "the same operation in other spellings of JSON",
    {
      requirements: ["OPER-06", "OPER-07", "OPER-08", "OPER-09"],
      questions: ["OPEN-28"],
      operations: ["createCounterparty", "createOperation"],
      cost: 9,
      chain: 4,
      drawsTheSame: true,
    },
    async (context) => {
      const counterparty = await registerCounterparty(context);
      const [first = context.target.amount.min, ...amounts] = plainAmounts(context, 1 + spellings.items.length);
      await createOperation(context, { counterparty: counterparty.id, amount: first });
      await sendEach(context, spellings, ({ id, textOf }, index) => {
        const body = operationBody(context, { counterparty: counterparty.id, amount: amounts[index] ?? first });
        const spec: RequestSpec = {
          operation: "createOperation",
          intent: unusual(`written with ${id}`),
          text: textOf(body),
        };
        return observing(spec, "OPEN-28", `POST /corporate/operation written with ${id}`);
      });
    },
  ),
  scenario(
    "operation/odd/values",
    "odd texts and amounts in an operation",
    {
      requirements: ["OPER-17"],
      questions: ["OPEN-28", "OPEN-29", "OPEN-35", "OPEN-36"],
      operations: ["createCounterparty", "createOperation"],
      cost: 44,
      chain: 11,
      drawsTheSame: true,
    },
    async (context) => {
      const counterparty = await registerCounterparty(context);
      const [
        first = context.target.amount.min,
        amount = first,
        other = first,
        third = first,
        fourth = first,
        fifth = first,
        sixth = first,
      ] = plainAmounts(context, 7);
      await createOperation(context, { counterparty: counterparty.id, amount: first });
      const whole = operationBody(context, { counterparty: counterparty.id, amount });
      // Any text may be a purpose: one that is accepted comes back as it was sent (INT-18).
      await sendEach(context, oddPurposes, (odd) => {
        const intent = exactIntent(odd, "/operation_purpose");
        return oddText(operationRequest({ ...whole, operation_purpose: odd.text }, intent), odd, "/operation_purpose");
      });
      // These are not pairs or ids, so their echoes are not judged (INT-12).
      const members = [
        ["currency_pair", 3],
        ["counterparty_id", 4],
      ] as const;
      await Promise.all(
        members.map(([member, always]) => {
          const pointer = `/${member}`;
          return sendEach(context, textPool(pointer, always, 1), (odd) => {
            const intent = invalid(`with ${odd.id} in ${pointer}`);
            return oddText(operationRequest({ ...whole, [member]: odd.text }, intent), odd, pointer);
          });
        }),
      );
      await sendEach(context, oddPairs, (pair) =>
        operationRequest({ ...whole, currency_pair: pair }, invalid(`with the pair ${pair}`)),
      );
      await sendEach(context, mediaTypes, ([contentType, intent]) => ({
        ...operationRequest({ ...whole, currency_amount: fifth }, intent),
        contentType,
      }));
      await Promise.all(
        oddAmounts(context, amount).map(async ({ id, value, isExtreme = false }) => {
          const intent = (isExtreme ? invalid : unusual)(`with an amount of ${id}`);
          await context.send(observing(operationRequest({ ...whole, currency_amount: value }, intent), "OPEN-29", id));
        }),
      );
      const extended = operationRequest({ ...whole, currency_amount: other });
      await observeTolerance(context, extended, operationRequest({ ...whole, currency_amount: third }));
      // Members that a client cannot decide: the response is still that of a new operation (INT-18).
      const decided = { status: "settled", batch_id: `batch-${context.run.runId}` };
      await together([
        context.send(
          operationRequest({ ...whole, currency_amount: fourth, ...decided }, unusual("with a status and a batch_id")),
        ),
        observePrototypeMembers(context, operationRequest({ ...whole, currency_amount: sixth })),
      ]);
    },
  ),
];

const spellings: Pool<JsonSpelling> = { name: "spellings of JSON", items: jsonSpellings, always: 6, drawn: 1 };

/** Whether servers that trim change it, and must not. */
const isTrimmed = ({ text, fragile }: OddText): boolean => fragile !== "anywhere" && text.trim() !== text;

const oddPurposes = textPool("/operation_purpose", 8, 1, [
  ...oddTexts.filter(isTrimmed),
  ...oddTexts.filter((odd) => !isTrimmed(odd)),
]);

/** Pairs of real currencies that few servers trade, and spellings of real pairs. */
const oddPairs: Pool<string> = {
  name: "odd pairs",
  items: [
    "USDUSD",
    "BRLUSD",
    "usdbrl",
    "USD/BRL",
    "XAUBRL",
    "USDBRL ",
    "XXXXTS",
    "USDBRLUSDBRL",
    "BRL",
    "USD-BRL",
    "000000",
    "US$BR$",
  ],
  always: 3,
  drawn: 1,
};

/** A parameter is legal and may be refused; what is not JSON, or not declared, may be refused or read. */
const mediaTypes: Pool<readonly [contentType: string | null, intent: Intent]> = {
  name: "media types of an operation",
  items: (
    [
      [null, invalid],
      ["application/json; charset=utf-8", unusual],
      ["multipart/form-data", invalid],
      ["application/json; charset=", invalid],
      ["Application/JSON;charset=UTF-8", unusual],
      ["application/x-www-form-urlencoded", invalid],
      ["application/xml", invalid],
      ["application/json; charset=latin-1", invalid],
      ["application/json; charset=nothing", invalid],
      ["multipart/form-data; boundary=", invalid],
      ["application/merge-patch+json", invalid],
      ["json", invalid],
      ["application/", invalid],
      ["*/*", invalid],
    ] as const
  ).map(
    ([contentType, kind]) =>
      [contentType, kind(contentType === null ? "without a Content-Type" : `declared as ${contentType}`)] as const,
  ),
  always: 4,
  drawn: 1,
};

interface OddAmount {
  readonly id: string;
  readonly value: number;
  /** No amount that a server has to return as it was sent. */
  readonly isExtreme?: boolean;
}

/**
 * More decimals or a larger amount than is known to work may be refused, and break no rule: what is accepted is
 * returned as it was sent (INT-09).
 */
const oddAmounts = ({ target }: Context, amount: number): readonly OddAmount[] => [
  { id: "nine decimals", value: amount + 0.123456789 },
  ...[0.005, 27_182.81, 314_159.27, 31_415_926.53].map((value) => ({ id: String(value), value })),
  { id: "2^31", value: 2 ** 31 },
  { id: "2^53", value: 2 ** 53 },
  { id: "10^20, an integer beyond 64 bits", value: 1e20, isExtreme: true },
  { id: "1000000000000000.5", value: 1e15 + 0.5 },
  { id: "ten times the largest configured amount", value: target.amount.max * 10 },
  ...[1e-9, 1e308, 5e-324].map((value) => ({ id: String(value), value, isExtreme: true })),
  { id: "-0", value: -0, isExtreme: true },
];
