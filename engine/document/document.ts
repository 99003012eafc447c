import { basename, dirname, join, relative, resolve, sep } from "node:path";
import {
  InputError,
  OutsideFolder,
  codeOf,
  fileBelow,
  fileBytes,
  FileProblem,
} from "../../model/files.ts";
import { isObject, type Json } from "../../spec/json.ts";
import { decodedText, lineText, rootOf, type Place, type DocumentSource } from "./place.ts";
import { treeOf } from "./text.ts";

/** The most bytes that a document has, with all files that it refers to. */
const mostBytes = 3_000_000;

function tooLarge(name: string): InputError {
  return new InputError(
    name,
    `is larger than ${mostBytes / 1_000_000} MB, with the files that it refers to. ` +
      "Leave out what the six operations do not need",
  );
}

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
  /** How many schemas were looked at so far, each as often as a question led to it. */
  readonly cost: { schemas: number };
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
  const source = fileSource(request);
  return { name, root: rootOf(source), version: versionOf(source), cost: { schemas: 0 } };
}

/**
 * Returns the file of a document. It opens the files that its references lead to, and reads each of
 * them once.
 */
function fileSource({ source, path, root = dirname(path) }: DocumentRequest) {
  const known = new Map<string, DocumentSource>();
  let size = 0;
  const add = (file: string, content: Uint8Array): DocumentSource => {
    size += content.length;
    if (size > mostBytes) throw tooLarge(source);
    const name = file === path ? source : join(dirname(source), relativeName(path, file));
    const made: DocumentSource = {
      ...treeOf(content, name),
      name,
      open: (to, at) => open(file, to, at),
    };
    known.set(file, made);
    return made;
  };
  const open = (from: string, reference: string, at: Place): DocumentSource => {
    const where = `${lineText(at)}: the reference ${JSON.stringify(reference)}`;
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(reference))
      throw new InputError(where, "leads to an address. Only files are followed: bundle it first");
    const file = resolve(dirname(from), decodedText(reference));
    return (
      known.get(file) ??
      add(
        file,
        contentOf(where, () => fileBelow(root, file)),
      )
    );
  };
  return add(
    path,
    contentOf(source, () => path),
  );
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
  const { openapi, swagger } = isObject(value) ? value : {};
  if (swagger !== undefined)
    return "is Swagger 2.0. Convert it: npx swagger2openapi --outfile openapi.yaml <the document>";
  if (typeof openapi === "string" && /^\d+(?:\.\d+)*$/.test(openapi))
    return `is OpenAPI ${openapi}, and 3.0 and 3.1 are read. Generate one of them`;
  return "is not an OpenAPI 3.0 or 3.1 document: it has no member openapi with such a version";
}

/**
 * Reads a file (`name`: what errors call it), but nothing that could block or have an effect, such
 * as a device or a FIFO. Throws InputError, with the code of an error of the system, such as
 * ENOENT: its text contains the path of the folder.
 */
function contentOf(name: string, pathOf: () => string): Uint8Array {
  try {
    return fileBytes(pathOf(), { most: mostBytes });
  } catch (error) {
    if (error instanceof OutsideFolder)
      throw new InputError(
        name,
        "leads out of the folder of the document. " +
          "Move the file there, or name a folder above both with --root",
      );
    if (!(error instanceof FileProblem))
      throw new InputError(name, `cannot be read (${codeOf(error)})`);
    if (error.isTooLarge) throw tooLarge(name);
    throw new InputError(
      name,
      `${error.message}. Save the document in a regular file, and name that`,
    );
  }
}
