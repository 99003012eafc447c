import { validate as isAba } from "abavalidator";
import { cnpj, cpf } from "cpf-cnpj-validator";
import { isValidBIC, isValidIBAN } from "ibantools";
import isoCountries from "i18n-iso-countries";

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * For each format, whether a text has it. Where a package of others checks a format, the package
 * decides.
 */
export const isOfFormat: Readonly<Record<string, (text: string) => boolean>> = {
  "aba-routing-number": isAba,
  "account-number": (text) => /^[A-Za-z0-9]{1,34}$/.test(text),
  bic: isValidBIC,
  country: (text) => /^[A-Z]{2}$/.test(text) && isoCountries.isValid(text),
  "cpf-cnpj": (text) => /^\d+$/.test(text) && (cpf.isValid(text) || cnpj.isValid(text)),
  "currency-pair": (text) => /^[A-Z]{6}$/.test(text),
  "date-time": (text) => dateTime.test(text) && !Number.isNaN(Date.parse(text)),
  iban: isValidIBAN,
};
