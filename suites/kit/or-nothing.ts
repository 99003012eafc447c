import { Inconclusive } from "../../harness/scenario-errors.ts";

/** The value, or undefined if a precondition could not be reached: the scenario continues without it. */
export const orNothing = async <T>(value: Promise<T>): Promise<T | undefined> => {
  try {
    return await value;
  } catch (error) {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  }
};
