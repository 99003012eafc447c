import type { RequirementId } from "../spec/catalogue.ts";

/** Thrown to end a scenario once the target was shown to be wrong; the finding is already in the recorder. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** Thrown if a precondition cannot be reached. Says which, in the server's words, and what the user can configure. */
export class Inconclusive extends Error {
  override readonly name: string = "Inconclusive";
  /** The requirements it concerns; empty: all that the scenario has not judged. */
  readonly requirements: readonly RequirementId[];

  constructor(reason: string, requirements: readonly RequirementId[] = []) {
    super(reason);
    this.requirements = requirements;
  }
}

/** Thrown instead of sending a bad credential more than the user allows. */
export class BadCredentialsSpent extends Inconclusive {
  constructor(most: number) {
    super(`checking this takes a bad credential, of which --max-bad-credentials allows ${most}`);
  }
}
