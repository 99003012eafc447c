/** The routing number that starts with these eight digits. */
export const abaWithChecksum = (eight: string): string => eight + String((10 - (weighted(eight) % 10)) % 10);

/** True where the ninth digit is right: digits weighted 3, 7, 1 in turn add up to a multiple of ten. */
export const hasAbaChecksum = (nine: string): boolean => weighted(nine) % 10 === 0;

const weighted = (digits: string): number =>
  [...digits].reduce((sum, digit, place) => sum + Number(digit) * ([3, 7, 1][place % 3] ?? 0), 0);
