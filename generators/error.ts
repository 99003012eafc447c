/** No valid value can be generated: an unknown schema keyword, a schema that no value satisfies, or an empty domain. */
export class GeneratorError extends Error {
  /** A JSON pointer (RFC 6901) into the contract, or `domain: ` and the option to change. */
  readonly pointer: string;

  constructor(pointer: string, problem: string) {
    super(`${pointer}: ${problem}`);
    this.name = "GeneratorError";
    this.pointer = pointer;
  }
}
