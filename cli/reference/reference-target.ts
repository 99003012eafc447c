import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Modules } from "../modules.ts";
import { temporaryFolder } from "../output/temporary-folder.ts";

/** How the reference server starts. */
interface ReferenceOptions {
  readonly apiKey: string;
  readonly customerId: string;
  /** Ids of faults. @defaultValue none */
  readonly faults?: readonly string[];
}

/** A reference server that listens over HTTPS. */
export interface ReferenceTarget {
  readonly baseUrl: string;
  /** PEM text of the certificate to trust, and the file that holds it. */
  readonly ca: string;
  readonly caFile: string;
}

/** Starts the reference server on a free port for as long as the task takes, and leaves nothing behind. */
export async function withReferenceTarget<T>(
  options: ReferenceOptions,
  modules: Modules,
  task: (target: ReferenceTarget) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder();
  try {
    const { key, cert, ca } = await (await modules.makeCertificate())();
    const caFile = join(folder, "ca.pem");
    writeFileSync(caFile, ca);
    const server = await (await modules.startReference())({ tls: { key, cert }, ...options });
    try {
      return await task({ baseUrl: server.baseUrl, ca, caFile });
    } finally {
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
