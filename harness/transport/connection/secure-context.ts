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
  const key = JSON.stringify([ca, clientCertificate]);
  const { cert, key: privateKey, pfx, passphrase } = clientCertificate ?? {};
  const context =
    contexts.get(key) ??
    tls.createSecureContext({
      ...(ca === undefined ? {} : { ca: [...ofNode(), ca] }),
      ...(cert === undefined ? {} : { cert }),
      ...(privateKey === undefined ? {} : { key: privateKey }),
      ...(pfx === undefined ? {} : { pfx: Buffer.from(pfx, "base64") }),
      ...(passphrase === undefined ? {} : { passphrase }),
    });
  contexts.set(key, context);
  return context;
};

/** By what the user brings: reading some 150 certificates anew for each connection costs more than the exchange. */
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
