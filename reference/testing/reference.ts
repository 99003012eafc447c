import { onTestFinished } from "vitest";
import { startReference, type Reference, type ReferenceOptions } from "../server.ts";

/** A reference server until the test ends. */
export const referenceFor = async (options: ReferenceOptions): Promise<Reference> => {
  const reference = await startReference(options);
  onTestFinished(() => reference.close());
  return reference;
};
