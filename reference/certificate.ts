import { generate } from "selfsigned";

/** PEM texts of a self-signed certificate. A client has to trust `ca`. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

/**
 * Makes a certificate that is valid for the loopback names and for thirty days. Certificates that a
 * client trusts together need different common names.
 */
export async function makeCertificate(commonName = "localhost"): Promise<Certificate> {
  const now = Date.now();
  const made = await generate([{ name: "commonName", value: commonName }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(now - 3_600_000),
    notAfterDate: new Date(now + 30 * 86_400_000),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", digitalSignature: true, keyCertSign: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  return { key: made.private, cert: made.cert, ca: made.cert };
}
