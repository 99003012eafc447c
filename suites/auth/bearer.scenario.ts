import { operationTitle } from "../../spec/operations.ts";
import { tokenRefusals, type TokenRefusals } from "../../spec/refusals.ts";
import { ofTheSameShape, scenario, truncated } from "../kit/index.ts";
import { withOneCharacterReplaced, withTail } from "../kit/index.ts";
import type { BadCredential, Context } from "../kit/index.ts";
import { oddSecrets, unsigned } from "../tables/secrets.ts";
import { guarded, type Endpoint } from "./guarded.ts";

/**
 * A bad Authorization header, and which requirement of an endpoint says that the header must be
 * refused (specification, Authentication; INT-16 and INT-17).
 */
interface BearerRow extends BadCredential {
  readonly breaks: Exclude<keyof TokenRefusals, "exactly">;
  /**
   * Selects the endpoints at which the header is presented. Bad tokens can lock clients out, so
   * some headers are presented only at some endpoints. @defaultValue all
   */
  readonly at?: (endpoint: Endpoint) => boolean;
}

/** Whether this is the only endpoint for which the status of a refused token is stated. */
const creation = (endpoint: Endpoint): boolean => endpoint === "createOperation";
const allButCreation = (endpoint: Endpoint): boolean => !creation(endpoint);
/** Whether this is the endpoint to which a request can be sent before anything is created. */
const list = (endpoint: Endpoint): boolean => endpoint === "listBatches";

/**
 * The bad headers. `authorization` is the whole value of the header. `token` makes a bad token from
 * a good one, which is accepted afterwards.
 */
const rows: readonly BearerRow[] = [
  {
    breaks: "missing",
    what: "without an Authorization header",
    authorization: null,
    isSoonAfterGood: true,
  },
  // This row stands before the other made-up tokens, because it looks like a good token: if limits
  // leave time for only one of them, this one is sent.
  {
    breaks: "madeUp",
    what: "with a made-up token of the right shape",
    madeUp: ofTheSameShape,
  },
  // A name that every object has as a property in some languages. Code that looks up tokens as
  // properties finds it.
  {
    breaks: "madeUp",
    what: "with the word constructor for a token",
    authorization: "Bearer constructor",
  },
  {
    breaks: "madeUp",
    what: "with the word null for a token",
    authorization: "Bearer null",
    at: allButCreation,
  },
  {
    breaks: "madeUp",
    what: `with ${unsigned.id} for a token`,
    authorization: `Bearer ${unsigned.text}`,
    at: creation,
  },
  { breaks: "malformed", what: "with the scheme Bearer and no token", authorization: "Bearer" },
  {
    breaks: "malformed",
    what: "with a user and a password",
    authorization: `Basic ${btoa("fxconform:fxconform")}`,
  },
  {
    // A server may remember a token that it has refused, and then accept it as a known one.
    breaks: "madeUp",
    what: "with a made-up token of the right shape once more",
    madeUp: ofTheSameShape,
  },
  {
    breaks: "malformed",
    what: "with a made-up token and the scheme Token",
    madeUp: ofTheSameShape,
    scheme: "Token",
  },
  { breaks: "malformed", what: "with an empty Authorization header", authorization: "", at: list },
  {
    breaks: "tampered",
    what: "with a token in which one character is replaced",
    token: (good) => withOneCharacterReplaced(good),
  },
  {
    // The change is near the end, where signatures are.
    breaks: "tampered",
    what: "with a token in which one character near its end is replaced",
    token: (good) => withOneCharacterReplaced(good, 0.85),
  },
  {
    breaks: "tampered",
    what: "with a token with characters appended",
    token: withTail,
    form: "appended",
  },
  { breaks: "madeUp", what: "with a truncated token", token: truncated },
];

/** The API key is no token, unless the server issues it as one. */
function withKey(key: string, token: string): readonly BearerRow[] {
  const inItsHeader: BearerRow = {
    breaks: "missing",
    what: "with the API key in x-api-key and no Authorization header",
    authorization: null,
    headers: [["x-api-key", key]],
    at: creation,
  };
  const asToken: BearerRow = {
    breaks: "madeUp",
    what: "with the API key for a token",
    authorization: `Bearer ${key}`,
  };
  return key === token ? [inItsHeader] : [inItsHeader, asToken];
}

/** Returns the bad headers for an endpoint, each with the requirement that it is refused there. */
function rowsAt(endpoint: Endpoint, ofKey: readonly BearerRow[]): readonly BadCredential[] {
  const { exactly: status, ...requirements }: TokenRefusals = tokenRefusals[endpoint];
  return [...rows, ...ofKey]
    .filter(({ at = () => true }) => at(endpoint))
    .map(({ breaks, ...row }) => ({
      ...row,
      requirement: requirements[breaks],
      // No status is stated for a header that is not "Bearer" with a token.
      status: breaks === "malformed" ? undefined : status,
      // At the list, the refusals without an Authorization header alone show the shape of errors.
      shows: list(endpoint) && breaks === "missing" ? "BATCH-28" : undefined,
    }));
}

function refusesBadTokens(endpoint: Endpoint) {
  const { exactly: _, ...requirements }: TokenRefusals = tokenRefusals[endpoint];
  return scenario({
    id: `auth/bearer/${endpoint}`,
    title: `${operationTitle(endpoint)} refuses bad tokens`,
    checks: [...Object.values(requirements), ...(list(endpoint) ? ["BATCH-28" as const] : [])],
    phase: "last",
    profiles: list(endpoint) ? ["smoke", "full"] : ["full"],
    run: async (context) => {
      const odd = list(endpoint) ? oddSecrets.tokens : [];
      const request = await guarded[endpoint](context);
      const rows = [
        ...rowsAt(endpoint, withKey(context.target.apiKey, await context.token())),
        ...odd.map(({ id, text }) => ({
          what: `with ${id} for a token`,
          authorization: `Bearer ${text}`,
          requirement: requirements.madeUp,
          isOdd: true as const,
        })),
      ];
      await context.together([
        context.presentBad(request, rows),
        endpoint === "addAcamItem" && forFurtherItem(context),
      ]);
    },
  });
}

/**
 * Sends a second item without a token. A server that checks whether an operation has an item
 * already may do so before it checks the token.
 */
async function forFurtherItem({
  attempt,
  itemFor,
  payeeWithItem,
  presentBad,
  wants,
}: Context): Promise<void> {
  if (!wants(withoutTokenForFurtherItem.requirement)) return;
  const payee = await attempt(payeeWithItem());
  if (payee !== undefined) await presentBad(itemFor(payee.operation), [withoutTokenForFurtherItem]);
}

const withoutTokenForFurtherItem = {
  requirement: tokenRefusals.addAcamItem.missing,
  what: "without an Authorization header, for a further item",
  authorization: null,
} as const satisfies BadCredential;

/** The scenarios that send a few bad tokens to each endpoint, after everything else. */
export const bearer = (Object.keys(guarded) as Endpoint[]).map(refusesBadTokens);
