import { defined } from "../../../model/defined.ts";
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Target } from "../../../model/target.ts";

/**
 * The trusted certificates (Node's own, those of NODE_EXTRA_CA_CERTS and the PEM text of `target.ca`) and the client
 * certificate. Undefined without `target.ca` and client certificate: Node's default is the same then. Throws if one of
 * them cannot be read.
 */
export const secureContextOf = ({
  ca,
  clientCertificate,
}: Pick<Target, "ca" | "clientCertificate">): tls.SecureContext | undefined => {
  if (ca === undefined && clientCertificate === undefined) return undefined;
  const id = JSON.stringify([ca, clientCertificate]);
  const { cert, key, passphrase } = clientCertificate ?? {};
  const context = contexts.get(id) ?? tls.createSecureContext(defined({ cert, key, passphrase }));
  // The option `ca` would replace Node's own certificates, and loading all of them again takes 0.1 s.
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

/** By certificate options. */
const contexts = new Map<string, tls.SecureContext>();

/**
 * NODE_EXTRA_CA_CERTS: Node 20 drops them from a context to which certificates are added. Node has read the file when
 * it started, and has warned if it could not.
 */
const extra = (): readonly string[] => {
  const path = process.env["NODE_EXTRA_CA_CERTS"];
  if (path === undefined || path === "") return [];
  try {
    return [readFileSync(path, "utf8")];
  } catch {
    return [];
  }
};
