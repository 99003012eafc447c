import { invalid, type RequestSpec } from "../../model/request.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { together } from "../kit/concurrency.ts";
import type { Core } from "../kit/context.ts";
import { inOtherCase, oddSecrets, ofTheSameShape, truncated, withEndReplaced } from "../kit/credentials/secrets.ts";
import { withOneCharacterReplaced, withTail } from "../kit/credentials/secrets.ts";
import { observingStatus } from "../kit/observing.ts";
import { rowsOf } from "../kit/tables.ts";
import { scenario } from "../kit/scenario.ts";

/** `key`: the key to send, null for none; or a function that derives it from the right one. */
type BadKey = readonly [requirement: RequirementId, what: string, key: string | null | ((key: string) => string)];

const badKeys: readonly BadKey[] = [
  ["AUTH-05", "without an API key", null],
  ["AUTH-06", "with an empty API key", ""],
  ["AUTH-07", "with a truncated API key", truncated],
  ["AUTH-07", "with an API key without its last character", (key) => key.slice(0, -1)],
  // Where limits leave time for one of them, it is the first: it looks like a good one.
  ["AUTH-08", "with a made-up API key of the right shape", ofTheSameShape],
  // A property that every object of some languages has: code that looks keys up as properties finds it.
  ["AUTH-08", "with the word constructor for an API key", "constructor"],
  ["AUTH-09", "with an API key in which one character is replaced", (key) => withOneCharacterReplaced(key)],
  ["AUTH-09", "with an API key whose first character is replaced", (key) => withEndReplaced(key, "first")],
  ["AUTH-09", "with an API key whose last character is replaced", (key) => withEndReplaced(key, "last")],
  ["AUTH-10", "with an API key with characters appended", withTail],
  ["AUTH-11", "with the API key in the other letter case", inOtherCase],
];

/** Bad API keys: a few, after everything else (specification, Endpoints, 1; INT-15 and INT-17). */
export const keys = [
  scenario(
    "auth/keys",
    "bad API keys are refused",
    {
      requirements: [...new Set(badKeys.map(([requirement]) => requirement)), "AUTH-12"],
      operations: ["createToken"],
      phase: "last",
      profiles: ["smoke", "full"],
    },
    async (context) => {
      // Bad keys can lock the client out: those that no selected requirement needs are not sent.
      const wanted = badKeys.filter(
        ([requirement]) => context.wants(requirement) || (context.wants("AUTH-12") && requirement === "AUTH-08"),
      );
      const { badCredentials } = context.run;
      const present = (specs: readonly RequestSpec[]): Promise<unknown> =>
        badCredentials.section(() => badCredentials.each(specs, context.send));
      const specs = wanted.flatMap((row) => badKeyRequests(context, row));
      // In two parts, so that bad tokens are sent early too: keys and tokens may have separate lock-outs.
      await present(specs.slice(0, 5));
      const odd = context.wants("AUTH-08") ? rowsOf(context, oddSecrets("API keys")) : [];
      await together([
        present(specs.slice(5)),
        present(
          odd.map(({ id, text }) => ({
            ...tokenRequest("AUTH-08", `with ${id} for an API key`, text),
            exemptBy: "INT-38",
          })),
        ),
      ]);
    },
  ),
];

const tokenRequest = (requirement: RequirementId, what: string, apiKey: string | null): RequestSpec => ({
  operation: "createToken",
  intent: invalid(what),
  apiKey,
  contentType: "application/json",
  refusal: { requirement },
});

/** The request with a bad key; none if the configured key cannot be altered in this way. */
const badKeyRequests = (context: Core, [requirement, what, key]: BadKey): readonly RequestSpec[] => {
  const apiKey = typeof key === "function" ? key(context.target.apiKey) : key;
  if (typeof key === "function") {
    if (apiKey === context.target.apiKey || !apiKey) {
      context.inconclusive(requirement, `no request ${what} can be made of the configured key`);
      return [];
    }
    context.run.redaction.add(apiKey, `key: ${what}`, "key");
  }
  return [observingStatus(tokenRequest(requirement, what, apiKey), what)];
};
