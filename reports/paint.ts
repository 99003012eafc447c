const codes = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2 } as const;

/** The colours of the console. */
export type Colour = keyof typeof codes;

/** Colours a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/** A `Paint` for terminals (ANSI escape sequences). Without `color` it changes nothing. */
export const painter =
  (color: boolean): Paint =>
  (colour, text) =>
    color ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
