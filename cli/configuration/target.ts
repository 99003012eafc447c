import { defined } from "../../model/defined.ts";
import { X509Certificate } from "node:crypto";
import type { Io } from "../output/io.ts";
import { clientCertificateOf } from "./client-certificate.ts";
import { proxyOf } from "./proxy.ts";
import { headersOf, isReference, referencedValue } from "./headers.ts";
import { isLoopback, type Profile, type Target } from "../../model/target.ts";
import { readText } from "./config-file.ts";
import type { OptionName } from "./options.ts";
import { program } from "../output/command-line.ts";
import { UsageError, type Problem } from "./problem.ts";
import type { OptionValue, OptionValues } from "./option-values.ts";

/** The target that the options describe, and what is missing or wrong. */
export interface TargetReading {
  readonly target: Target;
  readonly profile: Profile;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Puts the target together. An option in `broken` is not reported as missing: its problem is reported already. */
export function targetOf(
  values: OptionValues,
  broken: ReadonlySet<OptionName>,
  customerNeeded: boolean,
  env: Io["env"],
): TargetReading {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const lacking = (name: OptionName, problem: Problem): void => {
    if (!broken.has(name)) problems.push(problem);
  };
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };

  const address = values.baseUrl?.value;
  if (address === undefined) lacking("baseUrl", noBaseUrl);
  const nearby = address !== undefined && isLoopback(new URL(address).hostname);
  const allowHttp = values.allowHttp?.value ?? false;
  if (address?.startsWith("http:") === true && !nearby && !allowHttp) {
    problems.push({
      where: values.baseUrl?.where ?? "",
      what: "would send key and token unencrypted",
      found: address,
      advice: httpAdvice,
    });
  }

  const profile = values.profile?.value ?? (nearby ? "full" : undefined);
  if (profile === undefined && address !== undefined) lacking("profile", noProfile);

  const apiKey = attempt(() => apiKeyOf(values, env));
  const keyGiven = values.apiKey ?? values.apiKeyFile;
  if (keyGiven === undefined && !broken.has("apiKeyFile")) lacking("apiKey", noApiKey);
  if (values.apiKey?.origin === "file" && !isReference(values.apiKey.value)) {
    warnings.push(`${values.apiKey.where}: keep the key out of version control. Use FXCONFORM_API_KEY instead.`);
  }

  const customerId = values.customerId?.value;
  if (customerId === undefined && profile === "full" && customerNeeded) lacking("customerId", noCustomer);

  const { ca: caFile } = values;
  const ca = caFile === undefined ? undefined : attempt(() => certificatesOf(caFile));

  const publicHeaders = values.publicHeaders?.value ?? [];
  const { headers: given } = values;
  const headers = (given && attempt(() => headersOf(given, publicHeaders, env))) ?? [];
  const unused = publicHeaders.filter((name) => !headers.some((one) => one.name.toLowerCase() === name.toLowerCase()));
  if (unused.length > 0 && !broken.has("headers")) {
    warnings.push(`${values.publicHeaders?.where}: no --header has the name ${unused.join(", ")}.`);
  }

  const url = address === undefined ? undefined : new URL(address);
  const way = url === undefined || broken.has("proxy") ? {} : (attempt(() => proxyOf(url, values.proxy, env)) ?? {});
  const clientCertificate = attempt(() => clientCertificateOf(values));
  if (clientCertificate !== undefined && Date.parse(clientCertificate.expires) < Date.now()) {
    warnings.push(`The client certificate expired on ${clientCertificate.expires.slice(0, 10)}.`);
  }

  return {
    target: {
      baseUrl: address ?? "",
      apiKey: apiKey ?? "",
      customerId: customerId ?? "",
      currencyPairs: values.currencyPairs?.value ?? [],
      otherPurposes: values.otherPurposes?.value ?? [],
      amount: values.amount?.value ?? { min: 1, max: 1, decimals: 0 },
      insecure: values.insecure?.value ?? false,
      allowHttp,
      ...way,
      ...defined({ batchMembers: values.batchMembers?.value, clientCertificate }),
      ...(ca === undefined || caFile === undefined ? {} : { ca, caFile: caFile.value }),
      ...(headers.length === 0 ? {} : { headers }),
    },
    profile: profile ?? "smoke",
    problems,
    warnings,
  };
}

/** The key, or the content of its file, from the stronger layer. */
function apiKeyOf({ apiKey, apiKeyFile }: OptionValues, env: Io["env"]): string | undefined {
  if (apiKey !== undefined && apiKeyFile !== undefined && apiKey.rank === apiKeyFile.rank) {
    throw new UsageError([
      { where: apiKeyFile.where, what: `gives a key as ${apiKey.where} does`, advice: "Keep one of the two." },
    ]);
  }
  const fromFile = apiKeyFile !== undefined && (apiKey === undefined || apiKeyFile.rank < apiKey.rank);
  const key = fromFile ? readText(apiKeyFile.value, apiKeyFile.where).trim() : apiKey && keyText(apiKey, env);
  if (key === undefined) return undefined;
  const where = fromFile ? apiKeyFile.where : (apiKey?.where ?? "");
  // RFC 9110, section 5.5: what fits a header.
  if (!/^[\x21-\x7e\u00a0-\u00ff]([\x20-\x7e\u00a0-\u00ff]*[\x21-\x7e\u00a0-\u00ff])?$/.test(key)) {
    const what = key === "" ? "names a file without a key in it" : "holds characters that no header can carry";
    throw new UsageError([{ where, what, advice: "Give only the key, without quotes and line breaks." }]);
  }
  return key;
}

/** In the configuration file, a key can stand as `env:NAME` or `file:path`. */
const keyText = ({ value, where, origin, folder }: OptionValue<string>, env: Io["env"]): string =>
  origin === "file" ? referencedValue(value, where, env, folder).value : value;

function certificatesOf({ value, where }: OptionValue<string>): string {
  const text = readText(value, where);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
    if (blocks.length > 0) return text;
  } catch {
    // Reported below, like a file without any.
  }
  const advice = "It must hold blocks that begin with -----BEGIN CERTIFICATE-----.";
  throw new UsageError([{ where, what: "names a file without readable PEM certificates", found: value, advice }]);
}

const httpAdvice = "Use https://, or add --allow-http if that is intended.";

const noBaseUrl: Problem = {
  where: "--base-url",
  what: "is missing: there is no target by default",
  advice:
    "Give --base-url https://host/base, FXCONFORM_BASE_URL, or baseUrl in fxconform.config.yaml. " +
    `To see a run without a server of your own: ${program} demo.`,
};

const noApiKey: Problem = {
  where: "--api-key",
  what: "is missing",
  advice: "Set FXCONFORM_API_KEY, or give --api-key-file or --api-key.",
};

const noProfile: Problem = {
  where: "--profile",
  what: "must be chosen for an address that is not loopback",
  advice: "--profile smoke creates nothing there; --profile full creates counterparties, operations and batches.",
};

const noCustomer: Problem = {
  where: "--customer-id",
  what: "is missing: profile full registers counterparties under a customer",
  advice:
    "Give --customer-id, FXCONFORM_CUSTOMER_ID or customerId in the configuration file, or choose --profile smoke.",
};
