import * as fc from "fast-check";
import { amountArbitrary, smallestAmount } from "../amounts.ts";
import { efx } from "../domain.ts";
import type { Source } from "../source.ts";
import { words } from "./words.ts";

/** Where values come from, by their meaning: the word in `x-fxconform-domain`. */
export const meanings = {
  name: { arbitrary: () => words },
  street: { arbitrary: () => fc.tuple(fc.integer({ min: 1, max: 400 }), words).map((parts) => parts.join(" ")) },
  city: { inPlace: (place) => place.city },
  state: { inPlace: (place) => place.state },
  "zip-code": { inPlace: (place) => place.zipCode },
  identifier: {
    arbitrary: () =>
      fc.string({ unit: fc.constantFrom(..."abcdefghjkmnpqrstuvwxyz0123456789"), minLength: 8, maxLength: 16 }),
  },
  purpose: { arbitrary: ({ domain }) => fc.constantFrom(efx, ...domain.otherPurposes) },
  amount: { arbitrary: ({ domain }) => amountArbitrary(domain.amount) },
  "part-amount": {
    arbitrary: ({ domain: { amount }, amountAtMost = amount.min }) =>
      amountArbitrary({ ...amount, max: Math.min(amount.max, Math.max(smallestAmount(amount), amountAtMost)) }),
  },
} as const satisfies Record<string, Source>;

/** A word that `x-fxconform-domain` may have. */
export type Meaning = keyof typeof meanings;

/** Whether `word` is a meaning of the table. */
export const isMeaning = (word: unknown): word is Meaning => typeof word === "string" && Object.hasOwn(meanings, word);
