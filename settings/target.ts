import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { dirname } from "node:path";
import { defined } from "../model/defined.ts";
import { isLoopback, type Profile, type Target } from "../model/target.ts";
import { clientCertificateOf } from "./client-certificate.ts";
import { program } from "./command-line.ts";
import { readText } from "./file.ts";
import { headersOf, isReference, referencedValue } from "./headers.ts";
import type { OptionName } from "./options.ts";
import { problemCollector, UsageError, type Problem } from "./problem.ts";
import { proxyOf } from "./proxy.ts";
import type { Surroundings } from "./surroundings.ts";
import type { OptionReading, OptionValue, OptionValues } from "./values.ts";

/** The target that the options describe, and what is missing or wrong. */
export interface TargetReading {
  readonly target: Target;
  readonly profile: Profile;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

type Env = Surroundings["env"];

/** Puts the target together. An option in `broken` is not reported as missing: its problem is reported already. */
export function targetOf(
  { values, broken }: Pick<OptionReading, "values" | "broken">,
  customerNeeded: boolean,
  env: Env,
): TargetReading {
  const { attempt, add, problems } = problemCollector();
  const baseUrl = values.baseUrl?.value ?? "";
  const allowHttp = values.allowHttp?.value ?? false;
  const isNear = baseUrl !== "" && isLoopback(new URL(baseUrl).hostname);
  const profile = values.profile?.value ?? (isNear ? "full" : undefined);
  const apiKey = attempt(() => apiKeyOf(values, env));
  const isMissing = (name: OptionName): boolean => values[name] === undefined && !broken.has(name);
  if (isMissing("baseUrl")) add([missing.baseUrl]);
  if (baseUrl.startsWith("http:") && !isNear && !allowHttp) add([unencrypted(values)]);
  if (profile === undefined && baseUrl !== "" && isMissing("profile")) add([missing.profile]);
  if (isMissing("apiKey") && isMissing("apiKeyFile")) add([missing.apiKey]);
  if (profile === "full" && customerNeeded && isMissing("customerId")) add([missing.customerId]);
  const ca = attempt(() => values.ca && certificatesOf(values.ca));
  const headers = attempt(() => values.headers && headersOf(values.headers, values.publicHeaders?.value ?? [], env));
  const way =
    baseUrl === "" || broken.has("proxy") ? undefined : attempt(() => proxyOf(new URL(baseUrl), values.proxy, env));
  const clientCertificate = attempt(() => clientCertificateOf(values));
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
  const sent = headers.map(({ name }) => name.toLowerCase());
  const unused = (publicHeaders?.value ?? []).filter((name) => !sent.includes(name.toLowerCase()));
  const isShared = apiKey?.file !== undefined && !isReference(apiKey.value) && isCommitted(apiKey.file);
  const expires = clientCertificate?.expires;
  return [
    ...(isShared ? [`${apiKey.where}: keep the key out of version control. Use FXCONFORM_API_KEY instead.`] : []),
    ...(unused.length > 0 && !broken.has("headers")
      ? [`${publicHeaders?.where}: no --header has the name ${unused.join(", ")}.`]
      : []),
    ...(expires !== undefined && Date.parse(expires) < Date.now()
      ? [`The client certificate expired on ${expires.slice(0, 10)}.`]
      : []),
  ];
};

/** Whether git would commit a file: it is in a repository, which does not ignore it. */
const isCommitted = (file: string): boolean =>
  spawnSync("git", ["check-ignore", "--quiet", file], { cwd: dirname(file) }).status === 1;

/** The key, or the content of its file, from the stronger layer. */
function apiKeyOf({ apiKey, apiKeyFile }: OptionValues, env: Env): string | undefined {
  const file = apiKey !== undefined && apiKey.rank <= (apiKeyFile?.rank ?? Infinity) ? undefined : apiKeyFile;
  const key = file === undefined ? apiKey && keyText(apiKey, env) : readText(file.value, file.where).trim();
  // RFC 9110, section 5.5: what fits a header.
  if (key === undefined || /^[\x21-\x7e\u00a0-\u00ff]([\x20-\x7e\u00a0-\u00ff]*[\x21-\x7e\u00a0-\u00ff])?$/.test(key)) {
    return key;
  }
  const what = key === "" ? "names a file without a key in it" : "holds characters that no header can carry";
  const advice = "Give only the key, without quotes and line breaks.";
  throw new UsageError([{ where: (file ?? apiKey)?.where ?? "", what, advice }]);
}

/** In the configuration file, a key can stand as `env:NAME` or `file:path`. */
const keyText = ({ value, where, origin, folder }: OptionValue<string>, env: Env): string =>
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

const unencrypted = ({ baseUrl }: OptionValues): Problem => ({
  where: baseUrl?.where ?? "",
  what: "would send key and token unencrypted",
  found: baseUrl?.value,
  advice: "Use https://, or add --allow-http if that is intended.",
});

/** What is said of options without which there is no run. */
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
