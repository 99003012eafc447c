/**
 * The range of valid amounts: from `min` to `max`, both included, with up to `decimals` decimal
 * places.
 */
export interface AmountRange {
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
}
