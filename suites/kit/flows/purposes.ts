import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { isSuccess, memberOf, messageOf, unusual, valid, type Json } from "../../../model/exchange.ts";
import { firstPair, plainAmounts } from "../amounts.ts";
import type { Context } from "../context.ts";
import { operationBody, operationRequest } from "../requests.ts";
import { registerCounterparty } from "./counterparties.ts";
import { createOperation } from "./operations.ts";

/** A purpose that is not EFX, and a pair with which this target accepts it. */
export interface OtherPurpose {
  readonly purpose: string;
  readonly pair: string;
  /** The operation that showed it. */
  readonly first: { readonly id: Json | undefined; readonly amount: number };
}

type PurposeToTry = Omit<OtherPurpose, "first"> & { readonly known: boolean };

/** Purposes that are tried if none besides EFX is configured. */
const guesses = ["IMPORT", "EXPORT", "SERVICES"];

/** How many pairs a purpose is tried with, because a server may accept it for some pairs only. */
const mostPairs = 3;

/**
 * A purpose other than EFX that this target accepts: a configured one, or a guess that the server accepted and returned
 * unchanged. Throws Inconclusive if there is none (INT-23).
 */
export const otherPurpose = (context: Context): Promise<OtherPurpose> =>
  context.knowledge.once("other purpose", async () => {
    const counterparty = await registerCounterparty(context, 7001);
    const [control = context.target.amount.min, ...amounts] = plainAmounts(context, 12);
    // From here on the counterparty is known and operations are accepted, so a refusal is about the purpose.
    await createOperation(context, { counterparty: counterparty.id, amount: control });
    let words = "";
    for (const [index, { purpose, pair, known }] of purposesToTry(context).entries()) {
      const amount = amounts[index % amounts.length] ?? control;
      const body = operationBody(context, { counterparty: counterparty.id, amount, purpose, pair });
      const exchange = await context.send(
        operationRequest(body, known ? valid : unusual(`with the purpose ${purpose}`)),
      );
      const inCase = pair === firstPair(context) ? purpose : `${purpose} with ${pair}`;
      context.observeAnswer("OPEN-02", inCase, exchange);
      if (isSuccess(exchange) && (known || memberOf(exchange.json, "operation_purpose") === purpose))
        return { purpose, pair, first: { id: memberOf(exchange.json, "operation_id"), amount } };
      words = messageOf(exchange);
    }
    throw new Inconclusive(
      `no purpose other than EFX is known to work on this server (the last one tried was answered with ${words}). Name one with --other-purposes.`,
    );
  });

/** Each purpose with the first pair; then the configured ones with further pairs. */
const purposesToTry = (context: Context): readonly PurposeToTry[] => {
  const { otherPurposes, currencyPairs } = context.target;
  const further = currencyPairs.slice(1, mostPairs);
  return [
    ...otherPurposes.map((purpose) => ({ purpose, pair: firstPair(context), known: true })),
    ...otherPurposes.flatMap((purpose) => further.map((pair) => ({ purpose, pair, known: true }))),
    ...guesses.map((purpose) => ({ purpose, pair: firstPair(context), known: false })),
  ];
};
