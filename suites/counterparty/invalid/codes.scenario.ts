import { asPlainText, derived, scenario, type Change, type Value } from "../../kit/index.ts";
import { changesIn } from "../places.ts";
import { useCounterparty } from "../use.ts";

/**
 * Wrong bank codes and countries. A server may accept or refuse them, but never crashes (INT-03,
 * INT-26 and INT-31).
 */
export const wrongCodes = scenario({
  id: "counterparty/invalid/codes",
  uses: ["createCounterparty", "createOperation"],
  title: "codes of a counterparty that do not exist, or that are nearly right",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const { amount, counterpartyLike, observed, registered, together } = context;
    const control = await registered();
    const like = counterpartyLike(control);
    const send = (odd: WrongCode) => observed(like, odd, "OPEN-28", `${title} ${odd.what}`);
    await together(changesIn(control.body, wrongValues).map(send));
    for (const odd of changesIn(control.body, [letteredAccount]))
      await useCounterparty(context, await send(odd), { what: odd.what, amount: amount() });
  },
});

const title = "POST /customers/{customer_id}/counterparty";

interface WrongCode extends Change {
  readonly what: string;
}

function wrong(what: string, place: string, value: Value): WrongCode {
  return { what: `with ${what} in ${place}`, with: { [place]: value }, mayBeAltered: true };
}

const oneCharacter: WrongCode = {
  what: "with one character in every code",
  with: {
    "/bank_account/iban": "7",
    "/bank_account/swift_code": "7",
    "/bank_account/bank_country": "7",
    "/bank_account/aba_routing_number": "7",
    "/bank_account/account_number": "7",
    "/intermediary_bank/swift_code": "7",
    "/intermediary_bank/bank_country": "7",
  },
  mayBeAltered: true,
};

const tooLong: WrongCode = {
  what: "with a code that is too long in every code",
  with: {
    "/bank_account/iban": "DE8937040044053201300000000000000000000",
    "/bank_account/swift_code": "DEUTDEFFXXXXXX",
    "/bank_account/aba_routing_number": "0210000211",
    "/bank_account/account_number": "1234567890".repeat(4),
    "/intermediary_bank/swift_code": "DEUTDEFFXXXXXX",
  },
  mayBeAltered: true,
};

/**
 * Well-formed codes that do not exist, and codes that are nearly right. Only a crash is a fault.
 */
const wrongValues: readonly WrongCode[] = [
  wrong("wrong check digits", "/bank_account/iban", "DE89370400440532013001"),
  wrong("a country that does not exist", "/bank_account/bank_country", "ZZ"),
  wrong("a BIC of no bank and no country", "/bank_account/swift_code", "ZZZZZZ2L"),
  wrong("a wrong check digit", "/bank_account/aba_routing_number", "021000022"),
  wrong("a country that does not exist", "/counterparty_address/country", "QQ"),
  wrong("40 digits", "/bank_account/account_number", "1234567890".repeat(4)),
  oneCharacter,
  tooLong,
];

/**
 * An account number of letters and digits. Account numbers are texts and not numbers (INT-31). This
 * one is as long as the right one.
 */
const letteredAccount: WrongCode = {
  what: "with letters before digits in /bank_account/account_number",
  with: {
    "/bank_account/account_number": derived(
      "letters before digits",
      (right) => `KX${asPlainText(right).slice(2)}`,
    ),
  },
  breaksNoRule: true,
};
