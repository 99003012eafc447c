import { createPrivateKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { makeCertificate } from "../reference/certificate.ts";
import { authoritiesOf, clientCertificateOf } from "../settings/credentials.ts";
import { flagSource, optionValuesOf } from "../settings/sources.ts";

const own = await makeCertificate("own");
const other = await makeCertificate("other");
const encrypted = createPrivateKey(own.key)
  .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "open-sesame" })
  .toString();

/** Options that name files with these texts. */
function files(texts: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [flag, text] of Object.entries(texts)) writeFileSync(join(folder, flag), text);
  const names = Object.fromEntries(Object.keys(texts).map((flag) => [flag, flag]));
  return optionValuesOf([flagSource(names, folder)]).values;
}

test("a certificate and its key are read, from two files or from one", () => {
  const subject = "CN=own";
  const two = clientCertificateOf(files({ cert: own.cert, key: own.key }));
  expect(two).toMatchObject({ cert: own.cert, key: own.key, subject });
  const both = `${own.cert}\n${own.key}`;
  expect(clientCertificateOf(files({ cert: both }))).toMatchObject({ key: both, subject });
  expect(clientCertificateOf({})).toBeUndefined();
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    "a key of another certificate",
    { cert: own.cert, key: other.key },
    "--key: does not make a client certificate that OpenSSL takes (key values mismatch).",
  ],
  [
    "a file without a certificate",
    { cert: "text", key: own.key },
    "--cert: names a file without a readable client certificate.",
  ],
  [
    "a certificate that cannot be read",
    { cert: own.cert.replace(/\n[^\n-]+\n/, "\nAAAA\n"), key: own.key },
    "--cert: names a file without a readable client certificate.",
  ],
  ["no key at all", { cert: own.cert }, "--cert: names a file without a readable private key"],
  [
    "a file without a key",
    { cert: own.cert, key: own.cert },
    "--key: names a file without a readable private key",
  ],
  [
    "an encrypted key",
    { cert: own.cert, key: encrypted },
    "--key: names a file without a readable private key",
  ],
])("%s is refused, and no key is quoted", (_what, texts, want) => {
  const [, secret = ""] = own.key.split("\n");
  const read = () => clientCertificateOf(files(texts));
  expect(read).toThrow(want);
  expect(read).not.toThrow(secret);
});

test("authorities are PEM certificates", () => {
  const authorities = (text: string) => {
    const { ca } = files({ ca: text });
    return ca && authoritiesOf(ca);
  };
  expect(authorities(`${own.cert}\n${other.cert}`)).toContain(other.cert);
  expect(() => authorities(own.key)).toThrow(
    "--ca: names a file without readable PEM certificates",
  );
});
