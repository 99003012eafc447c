const shape = /\[(key|token|secret) (\d+)\]/g;

/** The text with a word in the place of each pseudonym, so that a header can carry it: `token-2`. */
export const asHeaderWords = (text: string): string => text.replace(shape, "$1-$2");

/** Whether a value of a header stands for a pseudonym. */
export const isPseudonymWord = (value: string): boolean => /^(key|token|secret)-\d+$/.test(value);
