import { existsSync, rmSync } from "node:fs";
import type { Needs } from "../../reference/deviations/deviation.ts";
import type { ReferenceOptions } from "../../reference/server.ts";
import { quoted, UsageError, wrong, suggestion } from "../../settings/problem.ts";
import type { Flags, Source } from "../../settings/sources.ts";
import { program } from "../../settings/command-line.ts";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { randomUUID, X509Certificate } from "node:crypto";
import { codeOf, fileBounds, fileBytes, losesForeign, makeFolder } from "../../model/files.ts";
import { areas, requirementOf } from "../../spec/catalogue.ts";
import { replaceFile } from "../output/text-file.ts";

interface Start extends Omit<ReferenceOptions, "tls"> {
  /** The folder that keeps the certificate of the server. @defaultValue a temporary folder */
  readonly tlsFolder?: string | undefined;
  readonly isPlain?: boolean;
}

/**
 * Starts the reference server, performs a task, ends the server, and returns the result of the
 * task. `ca`: the certificate that clients must trust, and its file; undefined for plain HTTP.
 * Removes the folder of the certificate if it is temporary. Throws `UsageError` if the port or the
 * folder cannot be used.
 */
export async function withReferenceTarget<T>(
  { tlsFolder, isPlain = false, ...options }: Start,
  task: (target: {
    readonly baseUrl: string;
    readonly ca: { readonly ca: string; readonly caFile: string } | undefined;
  }) => Promise<T>,
): Promise<T> {
  const folder = tlsFolder ?? join(tmpdir(), `fxconform-${randomUUID()}`);
  try {
    const certificate = isPlain
      ? undefined
      : await keptCertificate(folder, tlsFolder === undefined ? "TMPDIR" : "--tls-dir");
    const { startReference } = await import("../../reference/server.ts");
    const starting = startReference({ ...options, tls: certificate?.tls });
    const { baseUrl, close } = await starting.catch((error: unknown) => {
      throw portProblem(error, options.port);
    });
    try {
      return await task({ baseUrl, ca: certificate?.ca });
    } finally {
      await close();
    }
  } finally {
    if (tlsFolder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function portProblem(error: unknown, port = 0): unknown {
  const code = codeOf(error);
  if (code !== "EACCES" && code !== "EADDRINUSE") return error;
  const what = code === "EACCES" ? "cannot be opened" : "is in use";
  return wrong("--port", what, "Omit --port to use a free one.", quoted(port));
}

/**
 * Returns the certificate in a folder. Makes a new one if there is none, or if the one there
 * expires within a day. Throws `UsageError` if the folder cannot hold a certificate.
 */
async function keptCertificate(folder: string, where: string) {
  const caFile = join(folder, "ca.pem");
  const serverFile = join(folder, "server-with-key.pem");
  // Loaded outside of `try`: if that fails, the folder is not the reason.
  const { makeCertificate } = await import("../../reference/certificate.ts");
  try {
    if (!isGood(serverFile)) {
      const { cert, key } = await makeCertificate();
      makeFolder(folder);
      keep(serverFile, `${cert}\n${key}`, 0o600);
    }
    const server = pemIn(serverFile);
    // The certificate is self-signed, so that clients trust the certificate of the server itself.
    const ca = new X509Certificate(server).toString();
    if (!existsSync(caFile) || !pemIn(caFile).endsWith(ca)) keep(caFile, ca);
    return { tls: { key: server, cert: server }, ca: { ca, caFile } };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const what = `is not a folder that can hold a certificate (${codeOf(error)})`;
    throw wrong(where, what, "Choose another folder.", quoted(folder));
  }
}

const pemIn = (file: string): string =>
  fileBytes(file, { most: fileBounds.certificates }).toString();

/** Writes a PEM file, with a first line that says who made it. Throws `UsageError` if another stands there. */
function keep(file: string, pem: string, mode?: number): void {
  if (losesForeign(file)) {
    const what = `names a folder with a ${basename(file)} that fxconform did not write and that would be lost`;
    throw wrong("--tls-dir", what, "Move it away, or name another folder.");
  }
  replaceFile(file, `# Made by fxconform serve\n${pem}`, mode);
}

const day = 86_400_000;

function isGood(file: string): boolean {
  return (
    existsSync(file) && Date.parse(new X509Certificate(pemIn(file)).validTo) > Date.now() + day
  );
}

export interface NamedDeviation {
  readonly id: string;
  readonly needs?: Needs;
}

/**
 * Returns all faults and variants. Their modules are loaded only here, because few commands need
 * them.
 */
export function deviations() {
  return import("../../reference/deviations/index.ts");
}

/**
 * Returns the faults or variants that a flag names, with commas between them or with a flag for
 * each. Throws `UsageError` for an unknown name.
 */
export async function knownDeviations(
  flag: "fault" | "variant",
  words: unknown,
): Promise<readonly NamedDeviation[]> {
  const names = (Array.isArray(words) ? words : []).flatMap((word) => String(word).split(","));
  const all: readonly NamedDeviation[] = names.length === 0 ? [] : (await deviations())[`${flag}s`];
  return names.map((name) => {
    const known = all.find(({ id }) => id === name);
    if (known !== undefined) return known;
    const near = suggestion(
      name,
      all.map(({ id }) => id),
    );
    throw wrong(
      `--${flag}`,
      `names no ${flag}`,
      near ?? `${program()} list --deviations shows them.`,
      quoted(name),
    );
  });
}

/**
 * Returns the options that a run needs against the reference server with these faults and variants,
 * in the form in which the configuration file holds them.
 */
export function optionsFor(deviations: readonly NamedDeviation[]): Source["values"] {
  const needs = deviations.flatMap((one) => one.needs ?? []);
  const allowed = needs.flatMap(({ amountDecimals }) => amountDecimals ?? []);
  const decimals = allowed.length === 0 ? 2 : Math.min(...allowed);
  return {
    currencyPairs: ["USDBRL", "EURBRL"],
    ...(needs.some(({ onlyEfx }) => onlyEfx) ? {} : { otherPurposes: ["IMPORT"] }),
    ...needs.flatMap(({ batchMembers }) =>
      batchMembers === undefined ? [] : [{ batchMembers }],
    )[0],
    ...needs.flatMap(({ runs }) => (runs === undefined ? [] : [{ runs }]))[0],
    ...(decimals === 2 ? {} : { amount: { min: 10, max: 1000, decimals } }),
  };
}

/**
 * The faults and variants of which the texts contain each given word: id, description, and for a
 * fault the requirement that it breaks. Throws `UsageError` if there are none.
 */
export async function deviationsWith(given: Flags[string]) {
  const words = (typeof given === "string" ? given.toLowerCase() : "").split(/[\s,]+/);
  const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const all = await deviations();
  const faults = all.faults.flatMap(({ id, breaks, about }) =>
    fits(`${id} ${breaks} ${requirementOf(breaks).area} ${about}`) ? [{ id, breaks, about }] : [],
  );
  const variants = all.variants.flatMap(({ id, about }) =>
    fits(`${id} ${about}`) ? [{ id, about }] : [],
  );
  if (faults.length + variants.length === 0) {
    const what = "finds no fault or variant with these words";
    const advice = `${program()} list --deviations shows all of them; an area is one of ${areas.join(", ")}.`;
    throw wrong("--deviations", what, advice, quoted(given));
  }
  const width = Math.max(...[...faults, ...variants].map(({ id }) => id.length)) + 2;
  const broken = faults.map(
    ({ id, breaks, about }) => `  ${id.padEnd(width)}${breaks.padEnd(10)}${about}`,
  );
  const legal = variants.map(({ id, about }) => `  ${id.padEnd(width)}${about}`);
  const blocks = [
    ["Faults, each with the requirement that it breaks (--fault):", ...broken],
    ["Legal variants (--variant):", ...legal],
  ].filter(({ length }) => length > 1);
  const text = blocks.map((lines) => lines.join("\n")).join("\n\n");
  return { document: { faults, variants }, text };
}
