import { readFile } from "node:fs/promises";
import SwaggerParser from "@apidevtools/swagger-parser";
import { parse } from "yaml";
import { codeOf, InputError } from "../model/files.ts";
import { isLoopback, shownAddress } from "../model/target.ts";
import { isObject, type JsonObject } from "../spec/contract.ts";

/**
 * Reads an OpenAPI document, with what it refers to in the place of references. A file may refer to other files; what
 * comes from an address must not, because it would make this machine read them. Throws InputError.
 */
export const readDocument = async (source: string, path: string): Promise<JsonObject> => {
  const isAddress = /^https?:\/\//i.test(source);
  const refused = (what: string): InputError => new InputError(shownAddress(source), what);
  /** Does a step, of which `what` says how it fails. */
  const step = async <T>(what: string, make: () => T | Promise<T>): Promise<T> => {
    try {
      return await make();
    } catch (error) {
      if (error instanceof InputError) throw error;
      const { cause, message } = error as Error;
      const [reason] = cause === undefined ? message.split("\n") : [codeOf(cause)];
      throw refused(`${what} (${error instanceof RangeError ? "it is nested too deeply" : reason})`);
    }
  };
  const text = await step("cannot be read", () => (isAddress ? fetched(source, refused) : readFile(path, "utf8")));
  const root = await step("is neither JSON nor YAML", (): unknown =>
    /^\s*\{/.test(text) ? JSON.parse(text) : parse(text),
  );
  const { openapi, swagger, paths } = isObject(root) ? root : {};
  if (swagger !== undefined) throw refused("is Swagger. Convert it to OpenAPI 3.0 or 3.1 first");
  if (typeof openapi !== "string" || !/^3\.[01]\./.test(openapi) || !isObject(paths))
    throw refused("is not an OpenAPI 3.0 or 3.1 document with paths");
  const resolve = { http: false, file: isAddress ? false : {} } as const;
  const whole = await step("has a reference that leads nowhere", () =>
    new SwaggerParser().dereference(isAddress ? "document.json" : path, root as never, { resolve }),
  );
  return whole as unknown as JsonObject;
};

const fetched = async (source: string, refused: (what: string) => InputError): Promise<string> => {
  const { protocol, hostname, username, password } = new URL(source);
  if (username !== "" || password !== "") throw refused("has a user or a password in its address");
  if (protocol !== "https:" && !isLoopback(hostname))
    throw refused("is a plain http: address of another machine. Give an https: address or a file");
  const response = await fetch(source, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw refused(`cannot be read: it is answered with status ${response.status}`);
  return response.text();
};
