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
import { observeRefusal } from "../kit/bodies/invalid-bodies.ts";
import { oddSecrets } from "../kit/credentials/odd-secrets.ts";
import type { Context } from "../kit/context.ts";
import { draw } from "../kit/draw.ts";
import { scenario } from "../kit/scenario.ts";
import { together } from "../kit/together.ts";

interface BadKey {
  readonly requirement: RequirementId;
  readonly what: string;
  /** The key to send, null for none; or a function that derives it from the right one, undefined if it cannot. */
  readonly key: string | null | ((key: string) => string | undefined);
}

const other = (key: string, made: string): string | undefined => (made === key || made === "" ? undefined : made);

const badKeys: readonly BadKey[] = [
  { requirement: "AUTH-05", what: "without an API key", key: null },
  { requirement: "AUTH-06", what: "with an empty API key", key: "" },
  { requirement: "AUTH-07", what: "with a truncated API key", key: (key) => other(key, truncated(key)) },
  {
    requirement: "AUTH-07",
    what: "with an API key without its last character",
    key: (key) => other(key, key.slice(0, -1)),
  },
  // A property that every object of some languages has: code that looks keys up as properties finds it.
  { requirement: "AUTH-08", what: "with the word constructor for an API key", key: "constructor" },
  {
    requirement: "AUTH-08",
    what: "with a made-up API key of the right shape",
    key: (key) => other(key, ofTheSameShape(key)),
  },
  {
    requirement: "AUTH-09",
    what: "with an API key in which one character is replaced",
    key: (key) => other(key, withOneCharacterReplaced(key)),
  },
  {
    requirement: "AUTH-09",
    what: "with an API key whose first character is replaced",
    key: (key) => other(key, withEndReplaced(key, "first")),
  },
  {
    requirement: "AUTH-09",
    what: "with an API key whose last character is replaced",
    key: (key) => other(key, withEndReplaced(key, "last")),
  },
  { requirement: "AUTH-10", what: "with an API key with characters appended", key: withTail },
  {
    requirement: "AUTH-11",
    what: "with the API key in the other letter case",
    key: (key) => other(key, inOtherCase(key)),
  },
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
      cost: 11,
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
              operation: "createToken",
              intent: invalid(`with ${item.id} for an API key`),
              apiKey: item.text,
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

const refusesBadKey = async (context: Context, { requirement, what, key }: BadKey): Promise<void> => {
  const apiKey = typeof key === "function" ? key(context.target.apiKey) : key;
  if (apiKey === undefined) {
    context.inconclusive(requirement, `no request ${what} can be made of the configured key`);
    return;
  }
  if (typeof key === "function") context.run.redaction.add(apiKey ?? "", `key: ${what}`, "key");
  const spec: RequestSpec = {
    operation: "createToken",
    intent: invalid(what),
    apiKey,
    contentType: "application/json",
    refusal: { requirement },
  };
  observeRefusal(context, what, await context.send(spec));
};
