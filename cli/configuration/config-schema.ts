import type { JsonSchema } from "./kinds/kind.ts";
import { flagOf, optionNames, optionOf, type OptionName } from "./options.ts";

/** The JSON Schema of the configuration file, from the table of options; published as `config.schema.json`. */
export const configSchema = (): JsonSchema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:fxconform:config:1",
  title: "Configuration of fxconform",
  type: "object",
  properties: {
    $schema: { type: "string", description: "Where this schema is, for editors." },
    ...Object.fromEntries(optionNames.map((name) => [name, propertyOf(name)])),
  },
  additionalProperties: false,
});

function propertyOf(name: OptionName): JsonSchema {
  const { kind, about, fallback, fallbackText } = optionOf(name);
  const words = fallbackText === undefined ? "" : ` Default: ${fallbackText}.`;
  return {
    description: `${about.charAt(0).toUpperCase()}${about.slice(1)} (${flagOf(name)}).${words}`,
    ...kind.schema,
    ...(fallback === undefined ? {} : { default: (kind.toFile ?? kind.toText)(fallback) }),
  };
}
