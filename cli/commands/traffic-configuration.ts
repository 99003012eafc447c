import { configurationOf, type Configuration } from "../../settings/configuration.ts";
import { judgeOptions, optionNames } from "../../settings/options.ts";
import type { TrafficOptions } from "../../traffic/options.ts";
import type { Io } from "../output/io.ts";
import type { Invocation } from "./command.ts";

/** Everything that judging traffic needs. */
export interface TrafficConfiguration extends Configuration {
  readonly traffic: TrafficOptions;
  readonly baseUrl: string | undefined;
}

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
