import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Modules } from "../modules.ts";
import { UsageError } from "../../settings/problem.ts";
import { codeOf, makeFolder, temporaryPath } from "../../model/files.ts";

/** What a server needs for HTTPS, and the file that its clients trust. */
export interface KeptCertificate {
  /** PEM texts. */
  readonly tls: { readonly key: string; readonly cert: string };
  /** Path of a PEM file. */
  readonly caFile: string;
}

/**
 * The certificate that a folder holds; a new one where it holds none, or one that ends within a day. Throws
 * `UsageError` where the folder cannot be used.
 */
export async function keptCertificate(
  folder: string,
  makeCertificate: Modules["makeCertificate"],
): Promise<KeptCertificate> {
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
