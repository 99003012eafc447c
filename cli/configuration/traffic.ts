import type { TrafficOptions } from "../../traffic/options.ts";
import type { Io } from "../output/io.ts";
import { configurationOf, type Configuration } from "./configuration.ts";
import type { Invocation } from "./invocation.ts";
import { gateOptions, optionNames, type OptionName } from "./options.ts";

/** Everything that judging traffic needs. */
export interface TrafficConfiguration extends Configuration {
  readonly traffic: TrafficOptions;
  readonly baseUrl: string | undefined;
}

/** The options of `judge`, in the order of the table. */
export const judgeOptions: readonly OptionName[] = optionNames.filter(
  (name) =>
    (["baseUrl", "only", "exclude", "keepValues", "secretHeaders", "color", "quiet", "json"] as const).some(
      (one) => one === name,
    ) ||
    gateOptions.includes(name) ||
    ["reportDir", "reports"].includes(name),
);

/** Reads the options of `judge`; `replayCommand` judges the traffic again. Throws `UsageError`. */
export async function trafficConfigurationOf(
  invocation: Invocation,
  io: Io,
  replayCommand: string,
): Promise<TrafficConfiguration> {
  const configuration = await configurationOf(invocation, io, {
    targetless: [],
    owned: optionNames.filter((name) => !judgeOptions.includes(name)),
    defaults: { reportDir: "fxconform-report" },
  });
  const { options, values } = configuration;
  const { target: _, settings, ...rules } = options;
  return {
    ...configuration,
    baseUrl: values.baseUrl?.value,
    traffic: {
      ...rules,
      selection: settings.selection,
      keepValues: values.keepValues?.value ?? false,
      secretHeaders: (values.secretHeaders?.value ?? []).map((name) => name.toLowerCase()),
      replayCommand,
    },
  };
}
