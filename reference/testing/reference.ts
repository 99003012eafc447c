import { onTestFinished } from "vitest";
import { startReference, type Reference, type ReferenceOptions } from "../server.ts";

/** Starts a reference server that is closed when the test ends. */
export async function referenceFor(options: ReferenceOptions): Promise<Reference> {
  const reference = await startReference(options);
  onTestFinished(() => reference.close());
  return reference;
}
