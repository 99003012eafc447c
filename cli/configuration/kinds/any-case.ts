/** A regular expression of a word in any letter case, for schemas: patterns in JSON Schema have no flags. */
export const anyCase = (word: string): string =>
  word.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
