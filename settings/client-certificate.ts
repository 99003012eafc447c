import { defined } from "../model/defined.ts";
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { ClientCertificate } from "../model/network.ts";
import { readText } from "./file.ts";
import { UsageError } from "./problem.ts";
import type { OptionValues } from "./values.ts";

/** The client certificate that `--cert` and `--key` describe. Throws `UsageError` if it cannot be used. */
export const clientCertificateOf = ({ cert, key, passphraseFile }: OptionValues): ClientCertificate | undefined => {
  if (cert === undefined) return undefined;
  const keyOption = key ?? cert;
  const [certText, keyText] = [readText(cert.value, cert.where), readText(keyOption.value, keyOption.where)];
  const passphrase = passphraseFile && readText(passphraseFile.value, passphraseFile.where).replace(/\r?\n$/, "");
  if (passphrase === "") throw wrong(passphraseFile?.where ?? "", "names a file without a passphrase in it");
  const secret = defined({ passphrase });
  const certificate = certificateIn(certText, cert.where);
  if (!certificate.checkPrivateKey(privateKeyIn(keyText, keyOption.where, secret, key === undefined))) {
    const what = `does not belong to the client certificate of ${cert.where}`;
    throw wrong(keyOption.where, what, "Give the key with which the certificate was requested.");
  }
  try {
    createSecureContext({ cert: certText, key: keyText, ...secret });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error:[^:]*:[^:]*:[^:]*:/, "") : String(error);
    const advice = "Ask its issuer for one with a current signature (SHA-256) and a current key (RSA 2048, P-256).";
    throw wrong(cert.where, `holds a client certificate that OpenSSL does not take (${reason})`, advice);
  }
  return {
    cert: certText,
    key: keyText,
    ...secret,
    subject: certificate.subject.split("\n").join(", "),
    expires: new Date(certificate.validTo).toISOString(),
    files: { cert: cert.value, ...defined({ key: key?.value, passphrase: passphraseFile?.value }) },
  };
};

const wrong = (where: string, what: string, advice?: string): UsageError => new UsageError([{ where, what, advice }]);

const certificateIn = (text: string, where: string): X509Certificate => {
  try {
    if (text.includes("-----BEGIN CERTIFICATE-----")) return new X509Certificate(text);
  } catch {
    // Reported below, like a file without any.
  }
  throw wrong(
    where,
    "names a file without a readable client certificate",
    "It must hold a block that begins with -----BEGIN CERTIFICATE-----. Write a .p12 or .pfx file as PEM: openssl pkcs12 -in client.p12 -out client.pem -noenc.",
  );
};

const privateKeyIn = (
  text: string,
  where: string,
  secret: { readonly passphrase?: string },
  inCert: boolean,
): KeyObject => {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw inCert
      ? wrong("--key", "is missing: the file of --cert holds no private key", "Give the key of the client certificate.")
      : wrong(where, "names a file without a private key", "It must hold a block that ends in PRIVATE KEY-----.");
  }
  try {
    return createPrivateKey({ key: text, ...secret });
  } catch (error) {
    throw unreadable(where, error, secret.passphrase !== undefined);
  }
};

/** A problem of a key. Errors of OpenSSL quote nothing of what they read. */
const unreadable = (where: string, error: unknown, hasPassphrase: boolean): UsageError => {
  const { code = "", message = "" } = error as Partial<Error & { code: string }>;
  // One wrong passphrase in 256 decrypts to something, which then is no key.
  const isNoKey = message.includes("DECODER");
  if (/PASSPHRASE|INTERRUPTED_OR_CANCELLED/.test(code)) {
    return wrong(where, "names an encrypted file", "Give its passphrase with --passphrase-file.");
  }
  if (/BAD_DECRYPT|BAD_PASSWORD/.test(code) || (isNoKey && hasPassphrase)) {
    return wrong("--passphrase-file", `does not open the key of ${where}`, "Check the passphrase in the file.");
  }
  if (/UNSUPPORTED/.test(code) && !isNoKey) {
    const advice = "Write it anew with a current cipher: openssl pkey -aes256 -in old.key -out new.key.";
    return wrong(where, "is encrypted with a cipher that OpenSSL 3 does not support", advice);
  }
  return wrong(where, "names a file that cannot be read as a private key", "Check the file.");
};
