import { unescape } from "node:querystring";
import { isOrdinary } from "../model/evidence/redaction.ts";
import { isLoopback, type Target } from "../model/target.ts";
import { program } from "./command-line.ts";
import {
  apiKeyOf,
  authoritiesOf,
  clientCertificateOf,
  headersOf,
  writtenKeyWarnings,
} from "./credentials.ts";
import { flagOf, type OptionName } from "./options.ts";
import { problemCollector, quoted, type Problem } from "./problem.ts";
import { proxyOf } from "./proxy.ts";
import {
  plainValues,
  type OptionReading,
  type OptionValues,
  type Surroundings,
} from "./sources.ts";

/**
 * Makes the target from the options, and returns it with its profile, the problems and the
 * warnings. An option in `broken` is not reported as missing: its problem is reported already.
 */
export async function targetOf(
  { values, broken }: Pick<OptionReading, "values" | "broken">,
  customerNeeded: boolean,
  env: Surroundings["env"],
) {
  const { read: tried, add, problems } = problemCollector();
  const baseUrl = values.baseUrl?.value ?? "";
  const isNear = baseUrl !== "" && isLoopback(new URL(baseUrl).hostname);
  const profile = values.profile?.value ?? (isNear ? "full" : undefined);
  const trimmed: string[] = [];
  const warn = (warning: string): void => void trimmed.push(warning);
  const apiKey = await tried(() => apiKeyOf(values, env, warn));
  const isMissing = (name: OptionName): boolean => values[name] === undefined && !broken.has(name);
  if (baseUrl.startsWith("http:") && !isNear && !values.allowHttp.value) add([unencrypted(values)]);
  const isNeeded = {
    baseUrl: true,
    profile: profile === undefined && baseUrl !== "",
    apiKey: isMissing("apiKeyFile"),
    customerId: profile === "full" && customerNeeded,
  };
  for (const [name, what, advice] of needed())
    if (isNeeded[name] && isMissing(name)) add([{ where: flagOf(name), what, advice }]);
  const ca = await tried(() => values.ca && authoritiesOf(values.ca));
  const headers = await tried(() => values.headers && headersOf(values.headers, env, warn));
  const way =
    baseUrl === "" || broken.has("proxy")
      ? undefined
      : await tried(() => proxyOf(new URL(baseUrl), values.proxy, env));
  add(placesOfKey(values, apiKey));
  const clientCertificate = await tried(() => clientCertificateOf(values));
  const { expires = "" } = clientCertificate ?? {};
  const target: Target = {
    ...plainValues(values, ["currencyPairs", "amount", "batchMembers", "insecure", "allowHttp"]),
    baseUrl,
    // A target that lacks a needed option is never used.
    apiKey: apiKey ?? "",
    customerId: values.customerId?.value ?? "",
    otherPurposes: values.otherPurposes?.value ?? [],
    ...way,
    clientCertificate,
    headers,
    ca,
    caFile: ca === undefined ? undefined : values.ca?.value,
  };
  return {
    target,
    profile: profile ?? "smoke",
    problems,
    warnings: [
      ...trimmed,
      ...writtenKeyWarnings(values),
      ...(Date.parse(expires) < Date.now()
        ? [`The client certificate expired on ${expires.slice(0, 10)}.`]
        : []),
    ],
  };
}

/**
 * The problem of an API key that stands in an address or the name of a folder as well: reports and
 * replay lines name both, and a text of the configuration is not searched for (SECURITY.md).
 */
function placesOfKey(values: OptionValues, apiKey = ""): readonly Problem[] {
  if (isOrdinary(apiKey)) return [];
  const places = [
    [values.baseUrl, "Take the key out of the address; it is sent in the header x-api-key."],
    [values.reportDir, "Choose another folder."],
  ] as const;
  return places.flatMap(([option, advice]) => {
    const text = option === undefined ? "" : `${option.value} ${unescape(option.value)}`;
    const isIn = text.toLowerCase().includes(apiKey.toLowerCase());
    return isIn && option !== undefined
      ? [{ where: option.where, what: "contains the API key, which reports would show", advice }]
      : [];
  });
}

function unencrypted({ baseUrl }: OptionValues): Problem {
  return {
    where: baseUrl?.where ?? "",
    what: "would send key and token unencrypted",
    found: quoted(baseUrl?.value),
    advice: "Use https://, or add --allow-http if that is intended.",
  };
}

const needed = () =>
  [
    [
      "baseUrl",
      "is missing: there is no target by default",
      "Give --base-url https://host/base, FXCONFORM_BASE_URL, or baseUrl in fxconform.config.yaml. " +
        `To see a run without a server of your own: ${program()} demo.`,
    ],
    [
      "profile",
      "must be chosen for an address that is not loopback",
      "--profile smoke creates nothing there; --profile full creates counterparties, operations and batches.",
    ],
    ["apiKey", "is missing", "Set FXCONFORM_API_KEY, or give --api-key-file or --api-key."],
    [
      "customerId",
      "is missing: profile full registers counterparties under a customer",
      "Give --customer-id, FXCONFORM_CUSTOMER_ID or customerId in the configuration file, or choose --profile smoke.",
    ],
  ] as const;
