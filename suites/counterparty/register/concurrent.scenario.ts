import { isRefusal, isSuccess } from "../../../model/exchange.ts";
import { scenario } from "../../kit/index.ts";

export const concurrentCounterparties = scenario({
  id: "counterparty/register/concurrent",
  title: "counterparties are registered at the same time",
  checks: ["CPTY-11"],
  run: async ({
    counterpartyLike,
    payees,
    register,
    send,
    sendPayee,
    settings,
    succeed,
    together,
  }) => {
    const many = Array.from({ length: Math.min(6, settings.concurrency * 2) });
    const first = [...payees()].slice(0, many.length).map(({ value }) => value);
    const exchanges = await together(first.map((payee) => sendPayee(payee)));
    const areAnswered = exchanges.every((one) => isSuccess(one) || isRefusal(one));
    if (exchanges.filter(isSuccess).length >= 2 || !areAnswered) return;
    // A server may accept counterparties of one country only, or none with an intermediary bank.
    const accepted = await register();
    const alike = await together(many.map(() => send(counterpartyLike(accepted))));
    // If there are no two counterparties, the server's refusal is the reason for no verdict.
    if (alike.filter(isSuccess).length < 2) await succeed(counterpartyLike(accepted));
  },
});
