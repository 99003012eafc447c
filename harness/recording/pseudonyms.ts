import type { SecretKind } from "../../model/target-secrets.ts";
import { isUsableToken } from "../../model/token.ts";
import { createRedaction, type Redaction } from "./redaction.ts";

/** Replaces each secret by a name of its own, such as `[token 2]`, so that a reader sees which requests share one. */
export interface Pseudonyms extends Pick<Redaction, "redact"> {
  readonly add: (secret: string, kind: SecretKind) => void;
}

/** Names that are numbered in the order in which the secrets are added. */
export const createPseudonyms = (): Pseudonyms => {
  const redaction = createRedaction();
  const known = new Set<string>();
  const counts = new Map<string, number>();
  return {
    add: (secret, kind) => {
      if (secret === "" || known.has(secret)) return;
      known.add(secret);
      // The pseudonym of a token that does not fit a header must not fit one either.
      const name = kind === "token" && !isUsableToken(secret) ? "unusable token" : kind;
      const number = (counts.get(name) ?? 0) + 1;
      counts.set(name, number);
      redaction.add(secret, `${name} ${number}`);
    },
    redact: redaction.redact,
  };
};
