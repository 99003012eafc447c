import { limits } from "./budget.ts";
import type { ApiDocument } from "./document.ts";
import { lineText } from "./place.ts";

/** What a validator of JSON Schema finds at a place. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Returns a sentence on the place where a document breaks the schema that its version of OpenAPI
 * has. Undefined if it breaks none. References are not followed. No verdict depends on it, as the
 * place may have nothing to do with the operations of the API. A large document is not looked at.
 */
export async function invalidityOf({ root, version }: ApiDocument): Promise<string | undefined> {
  const size = root.source.lines.reduce((sum, line) => sum + line.length, 0);
  if (size > limits.validatedCharacters) return undefined;
  // Loaded late, because no other command needs it.
  const { default: SwaggerParser } = await import("@apidevtools/swagger-parser");
  try {
    await SwaggerParser.validate(structuredClone(root.value) as never, {
      resolve: { external: false },
      dereference: { excludedPathMatcher: () => true },
    });
    return undefined;
  } catch (error) {
    const innermost = innermostOf((error as { details?: readonly SchemaError[] }).details ?? []);
    if (innermost === undefined) return undefined;
    const { instancePath: pointer, message = "is not valid" } = innermost;
    return `${lineText({ ...root, pointer })} is not valid in OpenAPI ${version}: it ${message}. Other tools may refuse the document.`;
  }
}

/**
 * The error that lies deepest in the document: the others say that what is around it does not fit.
 * That an object is no reference is no error, although it could be one in most places.
 */
function innermostOf(errors: readonly SchemaError[]): SchemaError | undefined {
  const depthOf = ({ instancePath }: SchemaError): number => instancePath.split("/").length;
  return errors
    .filter(({ keyword, params }) => keyword !== "oneOf" && params["missingProperty"] !== "$ref")
    .toSorted((a, b) => depthOf(b) - depthOf(a))[0];
}
