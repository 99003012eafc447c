import { amountUnits, type AmountRange } from "./amounts.ts";
import { GeneratorError } from "./pointer.ts";

/** The values that are valid on the target. The configuration of the run sets them. */
export interface Domain {
  readonly currencyPairs: readonly string[];
  readonly otherPurposes: readonly string[];
  readonly amount: AmountRange;
}

/** The purpose that every server accepts (specification, Operation). */
export const efx = "EFX";

/** Throws GeneratorError with the name of the option if an option leaves no valid value to send. */
export function assertSatisfiable(domain: Domain): void {
  if (domain.currencyPairs.length === 0) throw new GeneratorError("domain: currencyPairs", "there is no currency pair");
  if (domain.currencyPairs.includes("")) throw new GeneratorError("domain: currencyPairs", "a currency pair is empty");
  if (domain.otherPurposes.includes("")) throw new GeneratorError("domain: otherPurposes", "a purpose is empty");
  amountUnits(domain.amount);
}
