import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "./run-and-report.ts";
import type { Command } from "./command.ts";
import { configurationOf } from "../configuration/configuration.ts";
import { targetOptions } from "./index.ts";
import { temporaryFolder } from "../output/temporary-folder.ts";

/** Starts the reference over HTTPS on a free port and runs everything against it. */
export const demo: Command = async (invocation, io, parts) => {
  const apiKey = `demo-${randomBytes(12).toString("hex")}`;
  const customerId = `customer-${randomBytes(4).toString("hex")}`;
  const defaults = {
    apiKey,
    customerId,
    profile: "full",
    currencyPairs: ["USDBRL", "EURBRL"],
    otherPurposes: ["IMPORT"],
  } as const;
  const own = { owned: targetOptions, namedFileOnly: true } as const;
  // Wrong options are told before a server is started for nothing.
  await configurationOf(invocation, io, { ...own, defaults: { ...defaults, baseUrl: "https://localhost" } });

  const folder = temporaryFolder();
  try {
    const { key, cert, ca } = await (await parts.makeCertificate())();
    const caFile = join(folder, "ca.pem");
    writeFileSync(caFile, ca);
    const server = await (await parts.startReference())({ tls: { key, cert }, apiKey, customerId });
    try {
      const presets = { ...defaults, baseUrl: server.baseUrl, ca: caFile };
      return await ask(await configurationOf(invocation, io, { ...own, defaults: presets }), "demo", io, parts);
    } finally {
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
