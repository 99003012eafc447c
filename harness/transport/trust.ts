import { readFileSync } from "node:fs";
import * as tls from "node:tls";

/**
 * What is trusted: Node's own certificates, those of NODE_EXTRA_CA_CERTS, and PEM text of the user's. Undefined where
 * the user brings none, as Node then does the same by itself; an option `ca` replaces all that. Throws where the text
 * is not a certificate.
 */
export const trustOf = (own: string | undefined): tls.SecureContext | undefined => {
  if (own === undefined) return undefined;
  const context = contexts.get(own) ?? tls.createSecureContext({ ca: [...ofNode(), own] });
  contexts.set(own, context);
  return context;
};

/** By what the user trusts: reading some 150 certificates anew for each connection costs more than the exchange. */
const contexts = new Map<string, tls.SecureContext>();

const ofNode = (): readonly string[] => {
  // Since Node 22.15; it knows of --use-system-ca too.
  const { getCACertificates } = tls as { readonly getCACertificates?: (kind: "default") => readonly string[] };
  return getCACertificates?.("default") ?? [...tls.rootCertificates, ...extra()];
};

/** Node has read the file when it started, and warned where it could not. */
const extra = (): readonly string[] => {
  const path = process.env["NODE_EXTRA_CA_CERTS"];
  if (path === undefined || path === "") return [];
  try {
    return [readFileSync(path, "utf8")];
  } catch {
    return [];
  }
};
