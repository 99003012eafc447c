import { invalid, type RequestSpec } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import {
  inOtherCase,
  ofTheSameShape,
  truncated,
  withEndReplaced,
  withOneCharacterReplaced,
  withTail,
} from "../kit/credentials/altered-secret.ts";
import { oddSecrets } from "../kit/credentials/odd-secrets.ts";
import type { Context } from "../kit/context.ts";
import { draw } from "../kit/draw.ts";
import { observingStatus } from "../kit/observing.ts";
import { scenario } from "../kit/scenario.ts";
import { together } from "../kit/together.ts";

interface BadKey {
  readonly requirement: RequirementId;
  readonly what: string;
  /** The key to send, null for none; or a function that derives it from the right one. */
  readonly key: string | null | ((key: string) => string);
}

const badKey = (requirement: RequirementId, what: string, key: BadKey["key"]): BadKey => ({ requirement, what, key });

const badKeys: readonly BadKey[] = [
  badKey("AUTH-05", "without an API key", null),
  badKey("AUTH-06", "with an empty API key", ""),
  badKey("AUTH-07", "with a truncated API key", truncated),
  badKey("AUTH-07", "with an API key without its last character", (key) => key.slice(0, -1)),
  // A property that every object of some languages has: code that looks keys up as properties finds it.
  badKey("AUTH-08", "with the word constructor for an API key", "constructor"),
  badKey("AUTH-08", "with a made-up API key of the right shape", ofTheSameShape),
  badKey("AUTH-09", "with an API key in which one character is replaced", (key) => withOneCharacterReplaced(key)),
  badKey("AUTH-09", "with an API key whose first character is replaced", (key) => withEndReplaced(key, "first")),
  badKey("AUTH-09", "with an API key whose last character is replaced", (key) => withEndReplaced(key, "last")),
  badKey("AUTH-10", "with an API key with characters appended", withTail),
  badKey("AUTH-11", "with the API key in the other letter case", inOtherCase),
];

/** Bad API keys: a few, after everything else (specification, Endpoints, 1; INT-15 and INT-17). */
export const keys = [
  scenario(
    "auth/keys",
    "bad API keys are refused",
    {
      requirements: [...new Set<RequirementId>([...badKeys.map(({ requirement }) => requirement), "AUTH-12"])],
      questions: ["OPEN-07"],
      operations: ["createToken"],
      chain: 11,
      phase: "last",
      profiles: ["smoke", "full"],
    },
    async (context) => {
      // Bad keys can lock the client out: those that no selected requirement needs are not sent.
      const wanted = badKeys.filter(
        ({ requirement }) => context.wants(requirement) || (context.wants("AUTH-12") && requirement === "AUTH-08"),
      );
      const { badCredentials } = context.run;
      const present = (part: readonly BadKey[]): Promise<unknown> =>
        badCredentials.section(() => badCredentials.each(part, (row) => refusesBadKey(context, row)));
      // In two parts, so that bad tokens are sent early too: keys and tokens may have separate lock-outs.
      await present(wanted.slice(0, 5));
      await together([
        present(wanted.slice(5)),
        badCredentials.section(() =>
          badCredentials.each(context.wants("AUTH-08") ? draw(context, odd) : [], ({ item }) =>
            context.send({
              ...tokenRequest(`with ${item.id} for an API key`, item.text),
              exemptBy: "INT-38",
              refusal: { requirement: "AUTH-08" },
            }),
          ),
        ),
      ]);
    },
  ),
];

const odd = oddSecrets("API keys");

const tokenRequest = (what: string, apiKey: string | null): RequestSpec => ({
  operation: "createToken",
  intent: invalid(what),
  apiKey,
  contentType: "application/json",
});

const refusesBadKey = async (context: Context, { requirement, what, key }: BadKey): Promise<void> => {
  const apiKey = typeof key === "function" ? key(context.target.apiKey) : key;
  if (typeof key === "function") {
    if (apiKey === context.target.apiKey || !apiKey) {
      context.inconclusive(requirement, `no request ${what} can be made of the configured key`);
      return;
    }
    context.run.redaction.add(apiKey, `key: ${what}`, "key");
  }
  await context.send(observingStatus({ ...tokenRequest(what, apiKey), refusal: { requirement } }, what));
};
