import { inOtherCase, ofTheSameShape, scenario, truncated, withEndReplaced } from "../kit/index.ts";
import { valid } from "../../model/request.ts";
import { oddSecrets } from "../tables/secrets.ts";
import { withOneCharacterReplaced, withTail, type BadCredential } from "../kit/index.ts";

/** Bad API keys: a few, after everything else (specification, Endpoints, 1; INT-15 and INT-17). */
export const keys = scenario({
  id: "auth/keys",
  title: "bad API keys are refused",
  checks: ["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10", "AUTH-11", "AUTH-12"],
  phase: "last",
  profiles: ["smoke", "full"],
  run: async ({ presentBad }) => {
    const odd = oddSecrets.keys.map(({ id, text }): BadCredential => {
      return { requirement: "AUTH-08", what: `with ${id} for an API key`, key: text, isOdd: true };
    });
    await presentBad({ operation: "createToken", intent: valid, contentType: "application/json" }, [
      ...badKeys,
      ...odd,
    ]);
  },
});

/**
 * The bad keys. `key`: the key to send, null for none, or a function that makes it from the right
 * key.
 */
const badKeys: readonly BadCredential[] = [
  { requirement: "AUTH-05", what: "without an API key", key: null },
  { requirement: "AUTH-06", what: "with an empty API key", key: "" },
  { requirement: "AUTH-07", what: "with a truncated API key", key: truncated },
  {
    requirement: "AUTH-07",
    what: "with an API key without its last character",
    key: (key) => key.slice(0, -1),
  },
  // The first of the keys for AUTH-08, as it looks like a good one: if limits leave time for only
  // one of them, this one is sent.
  {
    requirement: "AUTH-08",
    shows: "AUTH-12",
    what: "with a made-up API key of the right shape",
    key: ofTheSameShape,
  },
  // A name that every object has as a property in some languages. Code that looks up keys as
  // properties finds it.
  {
    requirement: "AUTH-08",
    shows: "AUTH-12",
    what: "with the word constructor for an API key",
    key: "constructor",
  },
  {
    // A server may remember a key that it has refused, and then accept it as a known one.
    requirement: "AUTH-08",
    what: "with the word constructor for an API key once more",
    isSoonAfterGood: true,
    key: "constructor",
  },
  {
    requirement: "AUTH-09",
    what: "with an API key in which one character is replaced",
    key: (key) => withOneCharacterReplaced(key),
  },
  {
    requirement: "AUTH-09",
    what: "with an API key whose first character is replaced",
    key: (key) => withEndReplaced(key, "first"),
  },
  {
    requirement: "AUTH-09",
    what: "with an API key whose last character is replaced",
    key: (key) => withEndReplaced(key, "last"),
  },
  { requirement: "AUTH-10", what: "with an API key with characters appended", key: withTail },
  { requirement: "AUTH-11", what: "with the API key in the other letter case", key: inOtherCase },
];
