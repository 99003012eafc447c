import { spawnSync } from "node:child_process";
import { X509Certificate, createPrivateKey } from "node:crypto";
import { dirname, resolve } from "node:path";
import { defined } from "../model/defined.ts";
import { isLoopback, type Target, type AddedHeader } from "../model/target.ts";
import { program } from "./command-line.ts";
import { readText } from "./file.ts";
import type { OptionName } from "./options.ts";
import { problemCollector, wrong, type Problem } from "./problem.ts";
import type { OptionReading, OptionValue, OptionValues, Surroundings } from "./values.ts";
import type { HeaderEntry } from "./kinds/words.ts";
import { createSecureContext } from "node:tls";
import { type ClientCertificate, portOf, type Proxy } from "../model/network.ts";
import { BlockList, isIP } from "node:net";
import { proxy as proxyKind } from "./kinds/structured.ts";
import { read } from "./kinds/kind.ts";

type Env = Surroundings["env"];

/** Puts the target together. An option in `broken` is not reported as missing: its problem is reported already. */
export async function targetOf(
  { values, broken }: Pick<OptionReading, "values" | "broken">,
  customerNeeded: boolean,
  env: Env,
  noAddress: Problem = missing.baseUrl,
) {
  const { read: tried, add, problems } = problemCollector();
  const baseUrl = values.baseUrl?.value ?? "";
  const allowHttp = values.allowHttp?.value ?? false;
  const isNear = baseUrl !== "" && isLoopback(new URL(baseUrl).hostname);
  const profile = values.profile?.value ?? (isNear ? "full" : undefined);
  const apiKey = await tried(() => apiKeyOf(values, env));
  const isMissing = (name: OptionName): boolean => values[name] === undefined && !broken.has(name);
  if (isMissing("baseUrl")) add([noAddress]);
  if (baseUrl.startsWith("http:") && !isNear && !allowHttp) add([unencrypted(values)]);
  if (profile === undefined && baseUrl !== "" && isMissing("profile")) add([missing.profile]);
  if (isMissing("apiKey") && isMissing("apiKeyFile")) add([missing.apiKey]);
  if (profile === "full" && customerNeeded && isMissing("customerId")) add([missing.customerId]);
  const ca = await tried(() => values.ca && authoritiesOf(values.ca));
  const headers = await tried(
    () => values.headers && headersOf(values.headers, values.publicHeaders?.value ?? [], env),
  );
  const way =
    baseUrl === "" || broken.has("proxy") ? undefined : await tried(() => proxyOf(new URL(baseUrl), values.proxy, env));
  const clientCertificate = await tried(() => clientCertificateOf(values));
  const target: Target = {
    baseUrl,
    apiKey: apiKey ?? "",
    customerId: values.customerId?.value ?? "",
    currencyPairs: values.currencyPairs?.value ?? [],
    otherPurposes: values.otherPurposes?.value ?? [],
    amount: values.amount?.value ?? { min: 1, max: 1, decimals: 0 },
    insecure: values.insecure?.value ?? false,
    allowHttp,
    ...way,
    ...defined({ batchMembers: values.batchMembers?.value, clientCertificate, headers, ca }),
    ...(ca === undefined ? {} : defined({ caFile: values.ca?.value })),
  };
  return { target, profile: profile ?? "smoke", problems, warnings: warningsOf(values, target, broken) };
}

const warningsOf = (
  { apiKey, publicHeaders }: OptionValues,
  { headers = [], clientCertificate }: Target,
  broken: ReadonlySet<OptionName>,
): readonly string[] => {
  const warnings: string[] = [];
  if (apiKey?.file !== undefined && !isReference(apiKey.value) && isCommitted(apiKey.file))
    warnings.push(`${apiKey.where}: keep the key out of version control. Use FXCONFORM_API_KEY instead.`);
  const sent = headers.map(({ name }) => name.toLowerCase());
  const unused = (publicHeaders?.value ?? []).filter((name) => !sent.includes(name.toLowerCase()));
  if (unused.length > 0 && !broken.has("headers"))
    warnings.push(`${publicHeaders?.where}: no --header has the name ${unused.join(", ")}.`);
  const expires = clientCertificate?.expires;
  if (expires !== undefined && Date.parse(expires) < Date.now())
    warnings.push(`The client certificate expired on ${expires.slice(0, 10)}.`);
  return warnings;
};

/** Whether git would commit a file: it is in a repository, which does not ignore it. */
const isCommitted = (file: string): boolean =>
  spawnSync("git", ["check-ignore", "--quiet", file], { cwd: dirname(file) }).status === 1;

/** The key, or the content of its file, from the stronger layer. */
function apiKeyOf({ apiKey, apiKeyFile }: OptionValues, env: Env): string | undefined {
  if (apiKey !== undefined && apiKey.rank === apiKeyFile?.rank)
    throw wrong(apiKeyFile.where, `gives a key as ${apiKey.where} does`, "Keep one of the two.");
  const file = apiKey !== undefined && apiKey.rank < (apiKeyFile?.rank ?? Infinity) ? undefined : apiKeyFile;
  const key = file === undefined ? apiKey && keyText(apiKey, env) : readText(file.value, file.where).trim();
  if (key === undefined || fitsHeader.test(key)) return key;
  const what = key === "" ? "names a file without a key in it" : "holds characters that no header can carry";
  throw wrong((file ?? apiKey)?.where ?? "", what, "Give only the key, without quotes and line breaks.");
}

/** RFC 9110, section 5.5. */
const fitsHeader = /^[\x21-\x7e\u00a0-\u00ff]([\t\x20-\x7e\u00a0-\u00ff]*[\x21-\x7e\u00a0-\u00ff])?$/;

/** In the configuration file, a key can stand as `env:NAME` or `file:path`. */
const keyText = ({ value, where, origin, folder }: OptionValue<string>, env: Env): string =>
  origin === "file" ? referencedValue(value, where, env, folder).value : value;

/** The certificates in a PEM text; none if one of them cannot be read. */
function certificatesIn(text: string): readonly X509Certificate[] {
  try {
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}

function authoritiesOf({ value, where }: OptionValue<string>): string {
  const text = readText(value, where);
  if (certificatesIn(text).length > 0) return text;
  const advice = "It must hold blocks that begin with -----BEGIN CERTIFICATE-----.";
  throw wrong(where, "names a file without readable PEM certificates", advice, value);
}

const unencrypted = ({ baseUrl }: OptionValues): Problem => ({
  where: baseUrl?.where ?? "",
  what: "would send key and token unencrypted",
  found: baseUrl?.value,
  advice: "Use https://, or add --allow-http if that is intended.",
});

const missing = {
  baseUrl: {
    where: "--base-url",
    what: "is missing: there is no target by default",
    advice:
      "Give --base-url https://host/base, FXCONFORM_BASE_URL, or baseUrl in fxconform.config.yaml. " +
      `To see a run without a server of your own: ${program} demo.`,
  },
  apiKey: {
    where: "--api-key",
    what: "is missing",
    advice: "Set FXCONFORM_API_KEY, or give --api-key-file or --api-key.",
  },
  profile: {
    where: "--profile",
    what: "must be chosen for an address that is not loopback",
    advice: "--profile smoke creates nothing there; --profile full creates counterparties, operations and batches.",
  },
  customerId: {
    where: "--customer-id",
    what: "is missing: profile full registers counterparties under a customer",
    advice:
      "Give --customer-id, FXCONFORM_CUSTOMER_ID or customerId in the configuration file, or choose --profile smoke.",
  },
} as const satisfies Partial<Record<OptionName, Problem>>;

/** Many servers refuse a longer header. */
const longestValue = 8000;

/** The headers with their values, read from variables and files where needed. Throws `UsageError`. */
const headersOf = (
  { value: entries, where, folder }: OptionValue<readonly HeaderEntry[]>,
  publicNames: readonly string[],
  env: Env,
): readonly AddedHeader[] => {
  const shown = new Set(publicNames.map((name) => name.toLowerCase()));
  return entries.map(({ name, value: given }) => {
    const place = `${name} of ${where}`;
    const { value, source } = referencedValue(given, place, env, folder);
    const wrongs = {
      "has an empty value": value === "",
      [`is longer than ${longestValue} characters`]: value.length > longestValue,
      "holds characters that no header can carry": !fitsHeader.test(value),
    };
    const what = Object.entries(wrongs).find(([, holds]) => holds)?.[0];
    if (what !== undefined) throw wrong(place, what, "Give only the value, without quotes and line breaks.");
    return { name, value, isPublic: shown.has(name.toLowerCase()), ...defined({ source }) };
  });
};

/** Whether a text is `env:NAME` or `file:path`. */
const isReference = (text: string): boolean => /^(env|file):/.test(text);

/** The value that `env:NAME` or `file:path` names, or the text itself. */
const referencedValue = (given: string, where: string, env: Env, folder: string) => {
  const [, kind, name] = /^(env|file):(.*)$/.exec(given) ?? [];
  if (name === undefined) return { value: given };
  if (name === "") {
    const example = kind === "env" ? "the name of a variable, such as env:GATEWAY_KEY" : "a path, such as file:key.txt";
    throw wrong(where, `ends after ${kind}:`, `Write ${example}.`);
  }
  if (kind === "file") {
    const path = resolve(folder, name);
    return { value: readText(path, where).trim(), source: `file:${path}` };
  }
  const value = env[name] ?? "";
  if (value !== "") return { value: value.trim(), source: `env:${name}` };
  throw wrong(where, `names the variable ${name}, which is not set`, `Set ${name}, or write file:path.`);
};

/** The client certificate that `--cert` and `--key` describe. Throws `UsageError` if it cannot be used. */
const clientCertificateOf = ({ cert, key, passphraseFile }: OptionValues): ClientCertificate | undefined => {
  if (cert === undefined) return undefined;
  const keyOption = key ?? cert;
  const [certText, keyText] = [readText(cert.value, cert.where), readText(keyOption.value, keyOption.where)];
  const passphrase = passphraseFile && readText(passphraseFile.value, passphraseFile.where).replace(/\r?\n$/, "");
  if (passphrase === "") throw wrong(passphraseFile?.where ?? "", "names a file without a passphrase in it");
  const secret = defined({ passphrase });
  const [certificate] = certificatesIn(certText);
  if (certificate === undefined) {
    const advice =
      "It must hold a block that begins with -----BEGIN CERTIFICATE-----. Write a .p12 or .pfx file as PEM: " +
      "openssl pkcs12 -in client.p12 -out client.pem -noenc.";
    throw wrong(cert.where, "names a file without a readable client certificate", advice);
  }
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

/** Errors of OpenSSL quote nothing of what they read. */
const privateKeyIn = (text: string, where: string, secret: { readonly passphrase?: string }, inCert: boolean) => {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw inCert
      ? wrong("--key", "is missing: the file of --cert holds no private key", "Give the key of the client certificate.")
      : wrong(where, "names a file without a private key", "It must hold a block that ends in PRIVATE KEY-----.");
  }
  try {
    return createPrivateKey({ key: text, ...secret });
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (/PASSPHRASE|INTERRUPTED_OR_CANCELLED/.test(code))
      throw wrong(where, "names an encrypted file", "Give its passphrase with --passphrase-file.");
    if (secret.passphrase !== undefined && !code.includes("UNSUPPORTED"))
      throw wrong("--passphrase-file", `does not open the key of ${where}`, "Check the passphrase in the file.");
    const advice =
      "Check it; a key with an old cipher is written anew by openssl pkey -aes256 -in old.key -out new.key.";
    throw wrong(where, `names a file that cannot be read as a private key (${code})`, advice);
  }
};

/**
 * The proxy that `--proxy` names, else the one of the variables, which do not apply to loopback addresses and to what
 * NO_PROXY names. Throws `UsageError`.
 */
export const proxyOf = (url: URL, option: OptionValue<string> | undefined, env: Surroundings["env"]) => {
  if (option !== undefined) return { proxy: parsed(option.value, option.where) };
  const names = url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  // An empty variable counts as not set.
  const name = names.find((one) => (env[one] ?? "") !== "");
  if (name === undefined) return {};
  if (isLoopback(url.hostname)) return { bypass: `${name} does not apply to loopback addresses` };
  const except = ["no_proxy", "NO_PROXY"].find((one) => (env[one] ?? "") !== "");
  if (except !== undefined && isExcepted(url, env[except] ?? ""))
    return { bypass: `${except} takes the host out of ${name}` };
  const reading = read(proxyKind.schema, env[name]);
  if ("value" in reading) return { proxy: parsed(reading.value, name) };
  throw wrong(name, `must be ${reading.wanted}`, reading.advice);
};

const parsed = (text: string, from: string): Proxy => {
  const { protocol, host, username, password } = new URL(text);
  const credentials = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { url: `${protocol}//${host}`, ...(username === "" ? {} : { credentials }), from };
};

/**
 * As curl reads it: names with their subdomains, addresses, networks such as 10.0.0.0/8, each with or without a port.
 */
const isExcepted = (url: URL, list: string): boolean => {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, "");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = entry, port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (name === "" || (port !== undefined && Number(port) !== portOf(url))) return false;
    const bare = name.toLowerCase().replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0) return bare === host || isInNetwork(host, bare);
    const domain = bare.replace(/^\*?\./, "");
    return host === domain || host.endsWith(`.${domain}`);
  });
};

const isInNetwork = (address: string, network: string): boolean => {
  const [, base = "", bits] = /^([^/]+)\/(\d{1,3})$/.exec(network) ?? [];
  const family = isIP(base) === 6 ? "ipv6" : "ipv4";
  if (isIP(base) === 0 || isIP(base) !== isIP(address) || Number(bits) > (family === "ipv6" ? 128 : 32)) return false;
  const block = new BlockList();
  block.addSubnet(base, Number(bits), family);
  return block.check(address, family);
};
