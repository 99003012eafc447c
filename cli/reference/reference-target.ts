import { rmSync, mkdtempSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { defined } from "../../model/defined.ts";
import type { ReferenceOptions } from "../../reference/server.ts";
import { UsageError } from "../../settings/problem.ts";
import type { Modules } from "../modules.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { X509Certificate } from "node:crypto";
import { codeOf, makeFolder, temporaryPath } from "../../model/files.ts";

/** How the reference server starts. */
interface Start extends Omit<ReferenceOptions, "tls"> {
  /** The folder that keeps its certificate. @defaultValue a temporary one */
  readonly tlsFolder?: string | undefined;
  /** Plain HTTP. */
  readonly isPlain?: boolean;
}

/** A reference server that listens. */
interface ReferenceTarget {
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

/** Makes a folder, which the caller removes. Throws `UsageError` if the system's folder for that takes none. */
function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "fxconform-"));
  } catch (error) {
    const what = `is not a folder that can be written to (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
    throw new UsageError([
      { where: "TMPDIR", what, found: tmpdir(), advice: "Set it to a folder for temporary files." },
    ]);
  }
}

/** What a server needs for HTTPS, and the file that its clients trust. */
interface KeptCertificate {
  /** PEM texts. */
  readonly tls: { readonly key: string; readonly cert: string };
  /** Path of a PEM file. */
  readonly caFile: string;
}

/**
 * The certificate that a folder holds; a new one where it holds none, or one that ends within a day. Throws
 * `UsageError` where the folder cannot be used.
 */
async function keptCertificate(folder: string, makeCertificate: Modules["makeCertificate"]): Promise<KeptCertificate> {
  const [caFile, serverFile] = [join(folder, "ca.pem"), join(folder, "server.pem")];
  try {
    if (!isGood(serverFile)) {
      const { cert, key } = await (await makeCertificate())();
      makeFolder(folder);
      const temporary = temporaryPath(folder, "server");
      writeFileSync(temporary, `${cert}\n${key}`, { mode: 0o600 });
      renameSync(temporary, serverFile);
    }
    const server = readFileSync(serverFile, "utf8");
    // It is self-signed: clients trust the certificate that the server shows.
    writeFileSync(caFile, new X509Certificate(server).toString());
    return { tls: { key: server, cert: server }, caFile };
  } catch (error) {
    const what = `is not a folder that can hold a certificate (${codeOf(error)})`;
    throw new UsageError([{ where: "--tls-dir", what, found: folder, advice: "Choose another folder." }]);
  }
}

const day = 86_400_000;

const isGood = (file: string): boolean =>
  existsSync(file) && Date.parse(new X509Certificate(readFileSync(file)).validTo) > Date.now() + day;
