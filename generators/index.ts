/** What can be sent: the bodies of a run, values that servers treat wrongly, and how bodies are stamped. */
export {
  oddTextDesign,
  oddTextRow,
  oddTexts,
  textPlaces,
  type OddText,
  jsonSpellings,
} from "./odd-texts.ts";
export { sampleOf, samplesOf } from "./samples.ts";
export { stamp } from "./stamp.ts";
export { isAllowed, type Design, type Row } from "./covering-array.ts";
export { coverageOf, type SentRow } from "./coverage.ts";
export { amountArbitrary } from "./amounts.ts";
export { dealsFor, itemArbitrary, type Deals, type TaxIdKind } from "./deals.ts";
export { anyPayeeRow, payeeArbitrary, payeeDesign, payeeRows, usualRow } from "./payees.ts";
export { countries, type Country } from "./places.ts";
