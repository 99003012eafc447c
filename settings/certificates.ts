import { createPrivateKey } from "node:crypto";
import { createSecureContext } from "node:tls";
import { codeOf, fileBounds } from "../model/files.ts";
import { certificatesIn, type ClientCertificate } from "../model/network.ts";
import { readSecretText, readText } from "./file.ts";
import { quoted, wrong } from "./problem.ts";
import type { OptionValue, OptionValues } from "./sources.ts";

const ofCertificates = { most: fileBounds.certificates };

/**
 * The PEM text of a file with certificates of authorities. Throws `UsageError` if it has none, or
 * one that cannot be read.
 */
export function authoritiesOf({ value, where }: OptionValue<string>): string {
  const text = readText(value, where, ofCertificates);
  if (certificatesIn(text).length > 0) return text;
  const advice = "It must hold blocks that begin with -----BEGIN CERTIFICATE-----.";
  throw wrong(where, "names a file without readable PEM certificates", advice, quoted(value));
}

/**
 * The client certificate that `--cert` and `--key` describe. Undefined without `--cert`. Throws
 * `UsageError` if the certificate cannot be used.
 */
export function clientCertificateOf({ cert, key }: OptionValues): ClientCertificate | undefined {
  if (cert === undefined) return undefined;
  const keyOption = key ?? cert;
  const certText = readText(cert.value, cert.where, ofCertificates);
  const keyText = readSecretText(keyOption.value, keyOption.where);
  const [certificate] = certificatesIn(certText);
  if (certificate === undefined) {
    const advice =
      "It must hold a block that begins with -----BEGIN CERTIFICATE-----. Write a .p12 or .pfx file as PEM: " +
      "openssl pkcs12 -in client.p12 -out client.pem -noenc.";
    throw wrong(cert.where, "names a file without a readable client certificate", advice);
  }
  if (!certificate.checkPrivateKey(privateKeyIn(keyText, keyOption.where, key === undefined))) {
    const what = `does not belong to the client certificate of ${cert.where}`;
    throw wrong(keyOption.where, what, "Give the key with which the certificate was requested.");
  }
  try {
    createSecureContext({ cert: certText, key: keyText });
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error).replace(/^error:.*:/, "");
    throw wrong(
      cert.where,
      `holds a client certificate that OpenSSL does not take (${reason})`,
      "Ask its issuer for one with a current signature (SHA-256) and key (RSA 2048, P-256).",
    );
  }
  return {
    cert: certText,
    key: keyText,
    subject: certificate.subject.split("\n").join(", "),
    expires: new Date(certificate.validTo).toISOString(),
    files: { cert: cert.value, key: key?.value },
  };
}

/** The private key in a text. Throws `UsageError`, which quotes nothing of the text. */
function privateKeyIn(text: string, where: string, inCert: boolean) {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    throw inCert
      ? wrong("--key", "is missing: the file of --cert holds no private key", "Give the file.")
      : wrong(where, "names a file without a private key", "Name one in PEM form.");
  try {
    return createPrivateKey(text);
  } catch (error) {
    const code = codeOf(error);
    const isEncrypted = /PASSPHRASE|INTERRUPTED_OR_CANCELLED/.test(code);
    const what = isEncrypted
      ? "names an encrypted file"
      : `names a file that cannot be read as a private key (${code})`;
    throw wrong(where, what, "Write it anew: openssl pkey -in old.key -out new.key.");
  }
}
