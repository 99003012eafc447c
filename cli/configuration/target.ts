import { X509Certificate } from "node:crypto";
import type { Profile, Target } from "../../model/target.ts";
import { readText } from "./config-file.ts";
import { isLoopback } from "./loopback.ts";
import type { OptionName } from "./options.ts";
import { UsageError, type Problem } from "./problem.ts";
import type { Settings, Setting } from "./option-values.ts";

/** The target that the settings describe, and what they lack. */
export interface TargetReading {
  readonly target: Target;
  readonly profile: Profile;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Puts the target together. Says nothing of the options in `broken`: their problems are told already. */
export function targetOf(settings: Settings, broken: ReadonlySet<OptionName>, customerNeeded: boolean): TargetReading {
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

  const address = settings.baseUrl?.value;
  if (address === undefined) lacking("baseUrl", noBaseUrl);
  const nearby = address !== undefined && isLoopback(address);
  const allowHttp = settings.allowHttp?.value ?? false;
  if (address?.startsWith("http:") === true && !nearby && !allowHttp) {
    problems.push({
      where: settings.baseUrl?.where ?? "",
      what: "would send key and token in clear",
      found: address,
      advice: httpAdvice,
    });
  }

  const profile = settings.profile?.value ?? (nearby ? "full" : undefined);
  if (profile === undefined && address !== undefined) lacking("profile", noProfile);

  const apiKey = attempt(() => apiKeyOf(settings));
  const keyGiven = settings.apiKey ?? settings.apiKeyFile;
  if (keyGiven === undefined && !broken.has("apiKeyFile")) lacking("apiKey", noApiKey);
  if (settings.apiKey?.origin === "file") {
    warnings.push(`${settings.apiKey.where}: keep the key out of version control; FXCONFORM_API_KEY takes it too.`);
  }

  const customerId = settings.customerId?.value;
  if (customerId === undefined && profile === "full" && customerNeeded) lacking("customerId", noCustomer);

  const { ca: caFile } = settings;
  const ca = caFile === undefined ? undefined : attempt(() => certificatesOf(caFile));

  return {
    target: {
      baseUrl: address ?? "",
      apiKey: apiKey ?? "",
      customerId: customerId ?? "",
      currencyPairs: settings.currencyPairs?.value ?? [],
      otherPurposes: settings.otherPurposes?.value ?? [],
      amount: settings.amount?.value ?? { min: 1, max: 1, decimals: 0 },
      ...(ca === undefined ? {} : { ca }),
      insecure: settings.insecure?.value ?? false,
      allowHttp,
    },
    profile: profile ?? "smoke",
    problems,
    warnings,
  };
}

/** The key, or the content of its file, whichever was said more strongly. */
function apiKeyOf({ apiKey, apiKeyFile }: Settings): string | undefined {
  if (apiKey !== undefined && apiKeyFile !== undefined && apiKey.rank === apiKeyFile.rank) {
    throw new UsageError([
      { where: apiKeyFile.where, what: `says the same as ${apiKey.where}`, advice: "Keep one of the two." },
    ]);
  }
  const fromFile = apiKeyFile !== undefined && (apiKey === undefined || apiKeyFile.rank < apiKey.rank);
  const key = fromFile ? readText(apiKeyFile.value, apiKeyFile.where).trim() : apiKey?.value;
  if (key === undefined) return undefined;
  const where = fromFile ? apiKeyFile.where : (apiKey?.where ?? "");
  // RFC 9110, section 5.5: what fits a header.
  if (!/^[\x21-\x7e\u00a0-\u00ff]([\x20-\x7e\u00a0-\u00ff]*[\x21-\x7e\u00a0-\u00ff])?$/.test(key)) {
    const what = key === "" ? "names a file without a key in it" : "holds characters that no header can carry";
    throw new UsageError([{ where, what, advice: "Give the key alone, without quotes and line breaks." }]);
  }
  return key;
}

function certificatesOf({ value, where }: Setting<string>): string {
  const text = readText(value, where);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
    if (blocks.length > 0) return text;
  } catch {
    // Told below, like a file without any.
  }
  const advice = "It must hold blocks that begin with -----BEGIN CERTIFICATE-----.";
  throw new UsageError([{ where, what: "names a file without readable PEM certificates", found: value, advice }]);
}

const httpAdvice = "Use https://, or --allow-http where that is meant.";

const noBaseUrl: Problem = {
  where: "--base-url",
  what: "is missing: there is no target by default",
  advice:
    "Give --base-url https://host/base, FXCONFORM_BASE_URL, or baseUrl in fxconform.config.yaml. " +
    "To see a run without a server of your own: fxconform demo.",
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
