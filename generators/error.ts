/** Nothing valid can be made: a schema keyword that is not known, a schema that no value satisfies, or a domain with nothing in it. */
export class GeneratorError extends Error {
  /** JSON pointer (RFC 6901) into the contract, or `domain: …` with the option to change. */
  readonly pointer: string;

  constructor(pointer: string, problem: string) {
    super(`${pointer}: ${problem}`);
    this.name = "GeneratorError";
    this.pointer = pointer;
  }
}
