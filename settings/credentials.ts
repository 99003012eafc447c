import { createPrivateKey } from "node:crypto";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { codeOf, fileBounds } from "../model/files.ts";
import { certificatesIn, type ClientCertificate } from "../model/network.ts";
import type { AddedHeader } from "../model/target.ts";
import { readSecretText, readText } from "./file.ts";
import { isReference } from "./found-file.ts";
import type { HeaderEntry } from "./kinds/words.ts";
import { masked, quoted, wrong } from "./problem.ts";
import {
  trimmedWarnings,
  type OptionValue,
  type OptionValues,
  type Surroundings,
} from "./sources.ts";

type Env = Surroundings["env"];
type Warn = (warning: string) => void;

/**
 * The API key: the value of `--api-key` or the content of the key file, whichever has the stronger
 * source. Throws `UsageError` if both are equally strong, or the key fits in no header.
 */
export function apiKeyOf(
  { apiKey, apiKeyFile }: OptionValues,
  env: Env,
  warn: Warn,
): string | undefined {
  if (apiKey !== undefined && apiKey.rank === apiKeyFile?.rank)
    throw wrong(apiKeyFile.where, `gives a key as ${apiKey.where} does`, "Keep one of the two.");
  const file =
    apiKey !== undefined && apiKey.rank < (apiKeyFile?.rank ?? Infinity) ? undefined : apiKeyFile;
  const key =
    file === undefined
      ? apiKey && keyText(apiKey, env, warn)
      : readSecretText(file.value, file.where).trim();
  if (key === undefined || fitsHeader.test(key)) return key;
  const what = key === "" ? "names a file without a key in it" : unfit(key);
  throw wrong(
    (file ?? apiKey)?.where ?? "",
    what,
    "Give only the key, without quotes and line breaks.",
  );
}

/** Where an option stands that may refer to a variable or a file. */
type Origin = Pick<OptionValue<unknown>, "folder">;

/** Whether a value fits into a header (RFC 9110, section 5.5). */
const fitsHeader =
  /^[\x21-\x7e\u00a0-\u00ff]([\t\x20-\x7e\u00a0-\u00ff]*[\x21-\x7e\u00a0-\u00ff])?$/;

/** Why a value does not fit into a header, in words that follow its place. */
function unfit(value: string): string {
  return /[\r\n]/.test(value)
    ? "has a line break in its middle"
    : "holds characters that no header can carry";
}

/**
 * The API key that an option holds. In the configuration file, `env:NAME` or `file:path` may stand
 * in its place.
 */
function keyText(option: OptionValue<string>, env: Env, warn: Warn): string {
  const { value, where, file } = option;
  return file !== undefined ? referencedValue(value, where, option, { env, warn }).value : value;
}

/** The most characters in the value of a header. Many servers refuse a longer one. */
const longestValue = 8000;

/** The headers with their values, which may come from variables and files. Throws `UsageError`. */
export function headersOf(
  option: OptionValue<readonly HeaderEntry[]>,
  env: Env,
  warn: Warn,
): readonly AddedHeader[] {
  const { value: entries, where } = option;
  return entries.map(({ name, value: given }) => {
    const place = `${masked(name)} of ${where}`;
    const { value, source } = referencedValue(given, place, option, { env, warn });
    const wrongs = {
      "has an empty value": value === "",
      [`is longer than ${longestValue} characters`]: value.length > longestValue,
      [unfit(value)]: !fitsHeader.test(value),
    };
    const what = Object.entries(wrongs).find(([, holds]) => holds)?.[0];
    if (what !== undefined)
      throw wrong(place, what, "Give only the value, without quotes and line breaks.");
    return { name, value, source };
  });
}

/**
 * The value to which `env:NAME` or `file:path` refers, or any other text itself. Throws
 * `UsageError`.
 */
function referencedValue(
  given: string,
  where: string,
  option: Origin,
  { env, warn }: { readonly env: Env; readonly warn: Warn },
) {
  const [, kind, name] = /^(env|file):(.*)$/.exec(given) ?? [];
  if (name === undefined) return { value: given };
  if (name === "") {
    const example =
      kind === "env"
        ? "the name of a variable, such as env:GATEWAY_KEY"
        : "a path, such as file:key.txt";
    throw wrong(where, `ends after ${kind}:`, `Write ${example}.`);
  }
  if (kind === "file") {
    const path = resolve(option.folder, name);
    return { value: readSecretText(path, where).trim(), source: `file:${path}` };
  }
  const value = env[name] ?? "";
  if (value !== "") {
    trimmedWarnings(`${where}, from ${masked(name)}`, value).forEach(warn);
    return { value: value.trim(), source: `env:${name}` };
  }
  const shown = masked(name);
  throw wrong(
    where,
    `names the variable ${shown}, which is not set`,
    `Set ${shown}, or write file:path.`,
  );
}

/** Returns a warning if the API key itself stands in a configuration file. */
export function writtenKeyWarnings({ apiKey }: OptionValues): readonly string[] {
  if (apiKey?.file === undefined || isReference(apiKey.value)) return [];
  return [`${apiKey.where}: keep the key out of version control. Use FXCONFORM_API_KEY instead.`];
}

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
 * `UsageError` if the certificate cannot be used, which quotes nothing of its files.
 */
export function clientCertificateOf({
  cert,
  key,
}: Pick<OptionValues, "cert" | "key">): ClientCertificate | undefined {
  if (cert === undefined) return undefined;
  const certText = readText(cert.value, cert.where, ofCertificates);
  const { value, where } = key ?? cert;
  const keyText = readSecretText(value, where);
  const [certificate] = certificatesIn(certText);
  if (certificate === undefined) {
    const advice =
      "It must hold a block that begins with -----BEGIN CERTIFICATE-----. Write a .p12 or .pfx file as PEM: " +
      "openssl pkcs12 -in client.p12 -out client.pem -noenc.";
    throw wrong(cert.where, "names a file without a readable client certificate", advice);
  }
  try {
    createPrivateKey(keyText);
  } catch (error) {
    throw wrong(
      where,
      `names a file without a readable private key (${codeOf(error)})`,
      "Name one by --key in PEM form, without a passphrase: openssl pkey -in old.key -out new.key.",
    );
  }
  try {
    createSecureContext({ cert: certText, key: keyText });
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error).replace(/^error:.*:/, "");
    throw wrong(
      where,
      `does not make a client certificate that OpenSSL takes (${reason})`,
      "Give the key with which the certificate was requested; let its issuer sign with SHA-256.",
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
