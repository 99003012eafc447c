import { basename, dirname, join, relative, resolve, sep } from "node:path";
import {
  InputError,
  OutsideFolder,
  codeOf,
  fileBelow,
  fileBytes,
  FileProblem,
} from "../../model/files.ts";
import { isObject, memberOf, type Json } from "../../spec/json.ts";
import { createBudget, type Budget, limits, tooLarge } from "./budget.ts";
import { decodedText, lineText, rootOf, type Place, type DocumentSource } from "./place.ts";
import { treeOf } from "./text.ts";

/** The document that the user names. */
export interface DocumentRequest {
  /** The file, as the user wrote it. */
  readonly source: string;
  /** Its absolute path. */
  readonly path: string;
  /**
   * The absolute path of the folder that references must not leave. @defaultValue the folder of the
   * document
   */
  readonly root?: string | undefined;
}

/** An OpenAPI document. Its references are followed when a place is read. */
export interface ApiDocument {
  readonly name: string;
  readonly root: Place;
  readonly version: "3.0" | "3.1";
  readonly budget: Budget;
}

/**
 * Reads an OpenAPI document. It may refer to regular files below its folder. Throws InputError if
 * the document cannot be read; the error quotes no address, which may hold a secret.
 */
export function readDocument(request: DocumentRequest): ApiDocument {
  const name = request.source;
  if (/^https?:\/\//i.test(name))
    throw new InputError(
      "contract",
      "reads a file, not an address. Save the document, and name it",
    );
  const budget = createBudget(name);
  const bytes = readRegularFile(request.path, name);
  budget.takeFile(bytes.length);
  const source = fileSource(bytes, request, budget);
  budget.takeTime();
  return { name, root: rootOf(source), version: versionOf(source), budget };
}

/**
 * Returns the file of a document. It opens the files that its references lead to, and reads each of
 * them once.
 */
function fileSource(
  bytes: Uint8Array,
  { source, path, root = dirname(path) }: DocumentRequest,
  budget: Budget,
) {
  const known = new Map<string, DocumentSource>();
  const shownName = (file: string): string =>
    file === path ? source : join(dirname(source), relativeName(path, file));
  const add = (file: string, content: Uint8Array): DocumentSource => {
    const name = shownName(file);
    const made: DocumentSource = {
      ...treeOf(content, name),
      name,
      open: (to, at) => open(file, to, at),
    };
    known.set(file, made);
    return made;
  };
  const open = (from: string, reference: string, at: Place): DocumentSource => {
    const where = `the reference ${JSON.stringify(reference)}`;
    if (/^[a-z][a-z\d+.-]*:/i.test(reference) || reference.startsWith("//"))
      throw new InputError(
        lineText(at),
        `${where} leads to an address. Only files are followed: bundle it first`,
      );
    const file = resolve(dirname(from), decodedText(reference));
    const already = known.get(file);
    if (already !== undefined) return already;
    try {
      const content = readFileBelow(root, file, `${lineText(at)}: ${where}`);
      budget.takeFile(content.length);
      budget.takeTime();
      return add(file, content);
    } catch (error) {
      if (!(error instanceof OutsideFolder)) throw error;
      throw new InputError(
        lineText(at),
        `${where} leads out of the folder of the document. ` +
          "Move the file there, or name a folder above both with --root",
      );
    }
  };
  return add(path, bytes);
}

function relativeName(path: string, file: string): string {
  return relative(dirname(path), file).split(sep).join("/") || basename(file);
}

/**
 * Returns the version of an OpenAPI document. Throws InputError for anything but 3.0 or 3.1; the
 * error says what the document is instead.
 */
function versionOf({ value, name }: DocumentSource): "3.0" | "3.1" {
  const { openapi, paths } = isObject(value) ? value : {};
  const found = typeof openapi === "number" ? String(openapi) : openapi;
  const [, version] = typeof found === "string" ? (/^(3\.[01])(?:\.|$)/.exec(found) ?? []) : [];
  if (version === undefined) throw new InputError(name, otherThan(value));
  if (!isObject(paths))
    throw new InputError(name, "is an OpenAPI document without paths. Name the one that has them");
  return version === "3.0" ? "3.0" : "3.1";
}

/** What the text is if it is no OpenAPI document of a known version: `is Swagger 2.0`. */
function otherThan(value: Json): string {
  const { openapi, swagger, asyncapi, info } = isObject(value) ? value : {};
  const schema = memberOf(info, "schema");
  if (swagger !== undefined)
    return "is Swagger 2.0. Convert it: npx swagger2openapi --outfile openapi.yaml <the document>";
  if (asyncapi !== undefined) return "is an AsyncAPI document. Name the OpenAPI document";
  if (typeof schema === "string" && /getpostman\.com/.test(schema))
    return "is a Postman collection. Export the OpenAPI document of its API";
  if (typeof openapi === "string" && /^\d+(?:\.\d+)*$/.test(openapi))
    return `is OpenAPI ${openapi}, and 3.0 and 3.1 are read. Generate one of them`;
  return "is not an OpenAPI 3.0 or 3.1 document: it has no member openapi with such a version";
}

/**
 * Reads a regular file. Opens nothing that could block or have an effect, such as a device or a
 * FIFO. `name`: what errors call the file. Throws InputError, which quotes nothing of the file.
 */
function readRegularFile(path: string, name: string): Uint8Array {
  return withReason(name, () => fileBytes(path, { most: limits.bytes }));
}

/** As `readRegularFile`, of a file below a folder. Throws OutsideFolder for any other. */
function readFileBelow(folder: string, path: string, name: string): Uint8Array {
  return readRegularFile(
    withReason(name, () => fileBelow(folder, path)),
    name,
  );
}

/**
 * Calls `read`, and turns an error of the system into an InputError with its code, such as ENOENT.
 * The text of the error is left out, because it contains the path of the folder.
 */
function withReason<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof OutsideFolder) throw error;
    if (error instanceof FileProblem) {
      if (error.isTooLarge) throw tooLarge(name);
      throw new InputError(
        name,
        `${error.message}. Save the document in a regular file, and name that`,
      );
    }
    throw new InputError(name, `cannot be read (${codeOf(error)})`);
  }
}
