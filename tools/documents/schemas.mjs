import { toJsonSchema } from "@valibot/to-json-schema";
import { baselineSchema as baseline } from "../../dist/settings/baseline.js";
import { flagOf, optionNames, optionOf } from "../../dist/settings/options.js";
import { answersSchema, statementSchema as statement } from "../../dist/settings/statement.js";
import { prose } from "../../dist/spec/prose.js";

/**
 * Converts a valibot schema of what people write to JSON Schema, as far as JSON Schema can express
 * it.
 */
function convert(schema, definitions) {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    typeMode: "input",
    errorMode: "ignore",
    target: "draft-2020-12",
    overrideSchema: ({ valibotSchema }) =>
      valibotSchema.type === "custom" ? objectSchema(valibotSchema) : undefined,
    ...(definitions && { definitions }),
  });
  return converted;
}

/** Returns the JSON Schema for our own check that a value is an object and no list. */
function objectSchema({ inside }) {
  return {
    type: "object",
    ...(inside && { additionalProperties: convert(inside) }),
  };
}

export function configSchema() {
  const propertyOf = (name) => {
    const { kind, about, fallback, fallbackText } = optionOf(name);
    const words = fallbackText === undefined ? "" : ` Default: ${fallbackText}.`;
    return {
      description: `${about.charAt(0).toUpperCase()}${about.slice(1)} (${flagOf(name)}).${words}`,
      ...convert(kind.schema),
      ...(fallback === undefined ? {} : { default: fallback }),
    };
  };
  return {
    ...headOf("config", "Configuration of fxconform"),
    type: "object",
    properties: {
      $schema: schemaPlace,
      ...Object.fromEntries(optionNames.map((name) => [name, propertyOf(name)])),
    },
    additionalProperties: false,
  };
}

export function statementSchema() {
  const { properties, $defs, ...rest } = convert(statement, { answers: answersSchema });
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    prose.questions[name] === undefined
      ? schemaPlace
      : { description: prose.questions[name].question, ...property },
  ]);
  return {
    ...headOf(
      "statement",
      "Statement of fxconform: answers to open questions that may be observed",
    ),
    ...rest,
    properties: Object.fromEntries(described),
    $defs,
  };
}

export function baselineSchema() {
  return {
    ...headOf("baseline", "Baseline of fxconform: failures that are known"),
    ...convert(baseline),
  };
}

const headOf = (name, title) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: `urn:fxconform:${name}:1`,
  title,
});
const schemaPlace = { type: "string", description: "Where this schema is, for editors." };
