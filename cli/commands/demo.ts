import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runAndReport } from "./run-and-report.ts";
import type { Command } from "./command.ts";
import { configurationOf } from "../configuration/configuration.ts";
import { accessOptions } from "../configuration/options.ts";
import { program } from "../output/command-line.ts";
import { temporaryFolder } from "../output/temporary-folder.ts";

/** Starts the reference server over HTTPS on a free port and runs every check against it. */
export const demo: Command = async (invocation, io, modules) => {
  const apiKey = `demo-${randomBytes(12).toString("hex")}`;
  const customerId = `customer-${randomBytes(4).toString("hex")}`;
  const defaults = {
    apiKey,
    customerId,
    profile: "full",
    currencyPairs: ["USDBRL", "EURBRL"],
    otherPurposes: ["IMPORT"],
  } as const;
  const presets = { owned: accessOptions, namedFileOnly: true } as const;
  // Wrong options are reported before a server is started.
  await configurationOf(invocation, io, { ...presets, defaults: { ...defaults, baseUrl: "https://localhost" } });

  const folder = temporaryFolder();
  try {
    const { key, cert, ca } = await (await modules.makeCertificate())();
    const caFile = join(folder, "ca.pem");
    writeFileSync(caFile, ca);
    const server = await (await modules.startReference())({ tls: { key, cert }, apiKey, customerId });
    try {
      const own = { ...presets, defaults: { ...defaults, baseUrl: server.baseUrl, ca: caFile } };
      const configuration = await configurationOf(invocation, io, own);
      // The server ends with this command, so that nothing can be replayed against it.
      const replayCommand = `${program} demo --seed ${configuration.options.settings.seed}`;
      const options = { ...configuration.options, replayCommand };
      if (configuration.values.ui?.value !== true) {
        return await runAndReport({ ...configuration, options }, "demo", io, modules);
      }
      const { runAndStay } = await import("../watch/staying.ts");
      return await runAndStay({ ...configuration, options }, "demo", io, modules);
    } finally {
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
