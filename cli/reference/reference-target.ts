import { rmSync } from "node:fs";
import { defined } from "../../model/defined.ts";
import type { ReferenceOptions } from "../../reference/server.ts";
import { UsageError } from "../../settings/problem.ts";
import type { Modules } from "../modules.ts";
import { temporaryFolder } from "../output/temporary-folder.ts";
import { keptCertificate } from "./kept-certificate.ts";

/** How the reference server starts. */
interface Start extends Omit<ReferenceOptions, "tls"> {
  /** The folder that keeps its certificate. @defaultValue a temporary one */
  readonly tlsFolder?: string | undefined;
  /** Plain HTTP. */
  readonly isPlain?: boolean;
}

/** A reference server that listens. */
export interface ReferenceTarget {
  readonly baseUrl: string;
  /** The file with the certificate to trust; absent for plain HTTP. */
  readonly caFile: string | undefined;
}

/** Starts the reference server for as long as the task takes, and leaves nothing temporary behind. Throws `UsageError`. */
export async function withReferenceTarget<T>(
  { tlsFolder, isPlain = false, ...options }: Start,
  modules: Modules,
  task: (target: ReferenceTarget) => Promise<T>,
): Promise<T> {
  const temporary = isPlain || tlsFolder !== undefined ? undefined : temporaryFolder();
  const folder = isPlain ? undefined : (tlsFolder ?? temporary);
  try {
    const certificate = folder === undefined ? undefined : await keptCertificate(folder, modules.makeCertificate);
    const start = await modules.startReference();
    const server = await start({ ...options, ...defined({ tls: certificate?.tls }) }).catch(portInUse(options.port));
    try {
      return await task({ baseUrl: server.baseUrl, caFile: certificate?.caFile });
    } finally {
      await server.close();
    }
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

const portInUse =
  (port = 0) =>
  (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    const what = code === "EACCES" ? "cannot be opened" : "is in use";
    throw new UsageError([{ where: "--port", what, found: String(port), advice: "Omit --port to use a free one." }]);
  };
