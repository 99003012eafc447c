import { defined } from "../../../model/defined.ts";
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Target } from "../../../model/target.ts";

/**
 * What is trusted and what the run shows of itself: Node's own certificates, those of NODE_EXTRA_CA_CERTS, the PEM text
 * of `target.ca`, and the client certificate. Undefined where the user brings neither, as Node then does the same by
 * itself; an option `ca` replaces all that. Throws where one of them cannot be read.
 */
export const secureContextOf = ({
  ca,
  clientCertificate,
}: Pick<Target, "ca" | "clientCertificate">): tls.SecureContext | undefined => {
  if (ca === undefined && clientCertificate === undefined) return undefined;
  const id = JSON.stringify([ca, clientCertificate]);
  const { cert, key, pfx, passphrase } = clientCertificate ?? {};
  const context =
    contexts.get(id) ??
    tls.createSecureContext(defined({ cert, key, pfx: pfx && Buffer.from(pfx, "base64"), passphrase }));
  // The option `ca` would replace Node's own certificates, and reading all of them again takes 0.1 s.
  if (ca !== undefined && !contexts.has(id)) {
    for (const pem of [...extra(), ca]) (context.context as OpenContext).addCACert(pem);
  }
  contexts.set(id, context);
  return context;
};

/** What Node's contexts have and its types leave out. */
interface OpenContext {
  readonly addCACert: (pem: string) => void;
}

/** By what the user brings. */
const contexts = new Map<string, tls.SecureContext>();

/** Node 20 forgets them in a context that gets further ones. It has read the file when it started, and warned where it could not. */
const extra = (): readonly string[] => {
  const path = process.env["NODE_EXTRA_CA_CERTS"];
  if (path === undefined || path === "") return [];
  try {
    return [readFileSync(path, "utf8")];
  } catch {
    return [];
  }
};
