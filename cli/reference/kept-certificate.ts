import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Modules } from "../modules.ts";
import { UsageError } from "../configuration/problem.ts";
import { codeOf, makeFolder } from "../output/report-folder.ts";

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
  const [caFile, keyFile] = [join(folder, "ca.pem"), join(folder, "key.pem")];
  try {
    if (!isGood(caFile) || !existsSync(keyFile)) {
      const made = await (await makeCertificate())();
      makeFolder(folder);
      writeFileSync(keyFile, made.key, { mode: 0o600 });
      // It signs itself: what the server shows is what a client trusts.
      writeFileSync(caFile, made.ca);
    }
    return { tls: { key: readFileSync(keyFile, "utf8"), cert: readFileSync(caFile, "utf8") }, caFile };
  } catch (error) {
    const what = `is not a folder that can hold a certificate (${codeOf(error)})`;
    throw new UsageError([{ where: "--tls-dir", what, found: folder, advice: "Choose another folder." }]);
  }
}

const day = 86_400_000;

const isGood = (caFile: string): boolean =>
  existsSync(caFile) && Date.parse(new X509Certificate(readFileSync(caFile)).validTo) > Date.now() + day;
