import * as v from "valibot";
import { ownHeaders } from "../../model/target.ts";
import { dictionary, either, message, textOr, type Kind } from "./kind.ts";
import { headerName } from "./words.ts";

/** A header as given: with its value, `env:NAME` or `file:path`. */
export interface HeaderEntry {
  readonly name: string;
  readonly value: string;
}

const advice = 'Write "X-Gateway-Key: value", or "X-Gateway-Key: env:NAME" to read the value from a variable.';
const wanted = message('a header as "Name: value"', advice);

/** The headers, if each has a name of its own and a value. */
const checked = v.pipe(
  v.array(v.object({ name: v.pipe(v.string(), v.regex(headerName, wanted)), value: v.string() })),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const seen = new Set<string>();
    for (const { name, value } of dataset.value) {
      const key = name.toLowerCase();
      const reason = Object.hasOwn(ownHeaders, key) ? ownHeaders[key] : undefined;
      if (reason !== undefined) {
        addIssue({ message: message(`a header that fxconform does not set itself, unlike ${name}`, reason) });
      } else if (seen.has(key)) {
        addIssue({ message: message(`a header for each name, but ${name} is there twice`, "Keep one of them.") });
      } else if (value === "") {
        addIssue({ message: message(`a header with a value, but ${name} has none`, advice) });
      }
      seen.add(key);
    }
  }),
);

const line = v.pipe(
  v.string(wanted),
  v.regex(/^\s*[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*:/, wanted),
  v.transform((text): HeaderEntry => {
    const [, name = "", value = ""] = /^\s*([^:]+?)\s*:(.*)$/.exec(text) ?? [];
    return { name, value: value.trim() };
  }),
);

const lines = v.pipe(v.array(line, wanted), checked);
const named = v.pipe(
  dictionary(v.string(message("headers whose values are texts", "Put each value in quotes.")), wanted),
  v.transform((all) => Object.entries(all).map(([name, value]): HeaderEntry => ({ name, value: value.trim() }))),
  checked,
);
const worded = v.pipe(
  v.string(),
  v.transform((text) => text.split(/\r?\n/).filter((one) => one.trim() !== "")),
  v.minLength(1, wanted),
  lines,
);

/** Headers: `Name: value`, a line each; in the file also an object from names to values. */
export const headers: Kind<readonly HeaderEntry[], string | string[] | Record<string, string>> = {
  schema: textOr(worded, either(Array.isArray, lines, named)),
  repeatable: "\n",
};
