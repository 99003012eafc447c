import type { Format } from "../source.ts";
import { abaRoutingNumber } from "./aba-routing-number.ts";
import { accountNumber } from "./account-number.ts";
import { bic } from "./bic.ts";
import { country } from "./country.ts";
import { cpfCnpj } from "./cpf-cnpj.ts";
import { currencyPair } from "./currency-pair.ts";
import { dateTime } from "./date-time.ts";
import { iban } from "./iban.ts";

/** Every format of strings that a schema can name. */
export const formats: readonly Format[] = [
  abaRoutingNumber,
  accountNumber,
  bic,
  country,
  cpfCnpj,
  currencyPair,
  dateTime,
  iban,
];
