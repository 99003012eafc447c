import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parsedJson } from "../model/exchange.ts";
import { UsageError } from "./problem.ts";

/** Reads YAML or JSON, by the name of the file. Throws `UsageError`; its problem quotes nothing of the file. */
export async function parsedFile(path: string, where: string): Promise<unknown> {
  const text = readText(path, where);
  const { parseDocument } = await import("yaml");
  const isJson = path.endsWith(".json");
  // With a quieter setting, the parser does not report a second document.
  const document = parseDocument(text, { logLevel: "error", ...(isJson ? { schema: "json" } : {}) });
  const broken = (what: string, advice?: string): UsageError =>
    new UsageError([{ where: basename(path), what, advice }]);
  const [error] = document.errors;
  if (isJson) {
    const value = parsedJson(text);
    // The only JSON that YAML refuses.
    const twice = document.errors.find(({ code }) => code === "DUPLICATE_KEY");
    if (value !== undefined && twice === undefined) return value;
    const [at] = (twice ?? error)?.linePos ?? [];
    const place = at === undefined ? "" : `, at line ${at.line}, column ${at.col}`;
    throw broken(value === undefined ? `is not JSON${place}` : `has a name twice in one object${place}`);
  }
  if (error?.code === "MULTIPLE_DOCS") throw broken("holds several documents", "Keep one of them, without ---.");
  if (error !== undefined) throw broken(`is not YAML: ${withoutQuote(error.message)}`);
  try {
    return document.toJS() as unknown;
  } catch (thrown) {
    throw broken(`is not YAML: ${withoutQuote(thrown instanceof Error ? thrown.message : String(thrown))}`);
  }
}

/** The first line of a YAML error, without the text that it quotes, which may be a key. */
const withoutQuote = (message: string): string =>
  (message.split("\n", 1)[0] ?? "").replace(/:$/, "").replace(/: .*?(?= at line \d+, column \d+$|$)/, "");

/** The text of a file that an option names. Throws `UsageError` if it cannot be read. */
export function readText(path: string, where: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const what = `names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
    throw new UsageError([{ where, what, found: path, advice: "Check the path." }]);
  }
}
