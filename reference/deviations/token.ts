// What can be wrong or odd about POST /auth/token: its response, the keys it takes, and its tokens.
import { randomBytes } from "node:crypto";
import { all, answers, delayed, problem, remembering, set } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { isEmpty } from "../request.ts";
import { at, deviation as anywhere, type Broken, type Deviation } from "./deviation.ts";
import { fixedValue, fromSecondOn, member, places } from "./members.ts";

const { deviation, gives, refuses, shows, succeeds } = at.token;

type IsAccepted = (key: string | undefined, call: Call) => boolean;

/** Issues tokens for some keys other than the right one. */
function takesKey(isAccepted: IsAccepted): Change {
  return (base) => ({
    admitsKey: (given, call) => base.admitsKey(given, call) || isAccepted(given, call),
  });
}

/** Issues tokens for some other keys once the server has issued a token. */
function takesKeyLater(isAccepted: IsAccepted): Change {
  return takesKey((given, call) => call.store.tokens.size > 0 && isAccepted(given, call));
}

const isMissing: IsAccepted = (given) => given === undefined;
const isBlank: IsAccepted = (given) => given === "";
const hasLength: IsAccepted = (given, { apiKey }) => given?.length === apiKey.length;
const isBeginning: IsAccepted = (given = "", { apiKey }) =>
  given !== "" && apiKey.startsWith(given);
const lacksLast: IsAccepted = (given, { apiKey }) => given === apiKey.slice(0, -1);
const hasTail: IsAccepted = (given = "", { apiKey }) => given.startsWith(apiKey);
const hasOtherCase: IsAccepted = (given = "", { apiKey }) =>
  given.toLowerCase() === apiKey.toLowerCase();
const hasOtherMiddle: IsAccepted = (given = "", call) =>
  hasLength(given, call) &&
  given.slice(0, 3) === call.apiKey.slice(0, 3) &&
  given.slice(-3) === call.apiKey.slice(-3);

/** Refuses a wrong key only the first time, and accepts it from then on. */
const keyKnownOnceRefused: Change = remembering(() => {
  const seen = new Set<string>();
  return takesKey((given = "") => {
    const isKnown = given !== "" && seen.has(given);
    seen.add(given);
    return isKnown;
  });
});

const badRequest = problem(400, "Bad request");
const isUntyped = ({ headers }: Call): boolean => headers["content-type"] === undefined;
const isTypedAndEmpty = (call: Call): boolean => !isUntyped(call) && isEmpty(call);
const isWithoutKey = ({ headers }: Call): boolean => headers["x-api-key"] === undefined;
const anyKey: Broken = ["AUTH-08", "AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"];
const badKeys = [
  "AUTH-05",
  "AUTH-06",
  "AUTH-07",
  "AUTH-08",
  "AUTH-09",
  "AUTH-10",
  "AUTH-11",
] as const;

const wrongKeys: readonly Deviation[] = [
  deviation("key-missing-accepted", "A request without a key gets a token.", takesKey(isMissing), {
    breaks: "AUTH-05",
  }),
  deviation("key-empty-accepted", "An empty key gets a token.", takesKey(isBlank), {
    breaks: "AUTH-06",
  }),
  deviation(
    "key-truncated-accepted",
    "The beginning of the key gets a token.",
    takesKey(isBeginning),
    { breaks: "AUTH-07" },
  ),
  deviation(
    "key-any-accepted-later",
    "Once a token was issued, every key gets one, unless it is missing or empty.",
    takesKeyLater(Boolean),
    { breaks: anyKey, when: "later" },
  ),
  deviation(
    "key-any-of-right-length-accepted",
    "Only the length of the key is checked.",
    takesKey(hasLength),
    { breaks: ["AUTH-09", "AUTH-08", "AUTH-11"] },
  ),
  deviation(
    "key-middle-ignored",
    "The middle of the key is not checked.",
    takesKey(hasOtherMiddle),
    {
      breaks: ["AUTH-09", "AUTH-11"],
      when: "data",
    },
  ),
  deviation("key-tail-accepted", "The key with a tail gets a token.", takesKey(hasTail), {
    breaks: "AUTH-10",
  }),
  deviation("key-case-ignored", "The letter case of the key is ignored.", takesKey(hasOtherCase), {
    breaks: "AUTH-11",
  }),
  deviation(
    "key-missing-accepted-later",
    "Once a token was issued, a missing key gets one.",
    takesKeyLater(isMissing),
    { breaks: "AUTH-05", when: "later" },
  ),
  deviation(
    "key-empty-accepted-later",
    "Once a token was issued, an empty key gets one.",
    takesKeyLater(isBlank),
    { breaks: "AUTH-06", when: "later" },
  ),
  deviation(
    "key-last-character-missing-accepted",
    "The key without its last character gets a token.",
    takesKey(lacksLast),
    { breaks: "AUTH-07", when: "data" },
  ),
  deviation(
    "key-tail-accepted-later",
    "Once a token was issued, the key with a tail gets one.",
    takesKeyLater(hasTail),
    { breaks: "AUTH-10", when: "later" },
  ),
  deviation(
    "key-accepted-the-second-time",
    "A key that was refused gets a token the next time.",
    keyKnownOnceRefused,
    { breaks: ["AUTH-08", "AUTH-12"], when: "later" },
  ),
  deviation("key-refused-with-200", "A bad key gets a 200.", refuses("any", set({ status: 200 })), {
    breaks: ["AUTH-08", "AUTH-01", ...badKeys],
  }),
  deviation(
    "blind-key-400-403",
    "No key gets a 400, a wrong one a 403.",
    refuses("key", (answer, call) => ({ ...answer, status: isWithoutKey(call) ? 400 : 403 })),
  ),
];

/**
 * Issues tokens of three parts, as JWTs have, and accepts an issued token with any other last
 * character. Decoders that ignore the unused bits of that character accept some of these.
 */
const lenientEnds: Change = (base) => ({
  newToken: () => [12, 48, 32].map((size) => randomBytes(size).toString("base64url")).join("."),
  admitsToken: (token, call) =>
    base.admitsToken(token, call) ||
    [...call.store.tokens.keys()].some(
      (it) => it.length === token.length && it.slice(0, -1) === token.slice(0, -1),
    ),
});

function spelt(id: string, what: string, spell: (call: Call) => string): Deviation {
  return anywhere(`token-${id}`, `Tokens ${what}.`, () => ({ newToken: spell }), {
    group: "token",
  });
}

function isLapsed(issued: number | undefined, life: number): boolean {
  return issued !== undefined && Date.now() - issued > life;
}

function living(life: number): Change {
  return (base) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) && !isLapsed(call.store.tokens.get(token), life),
  });
}

/**
 * Tokens that expire after `life` milliseconds, on a server that is so slow that tokens expire
 * during a run.
 */
function livingSlowly(life: number): Change {
  return all(
    living(life),
    delayed(() => 80),
  );
}

function serving(requests: number): Change {
  return (base) => {
    const used = new Map<string, number>();
    return {
      newToken: (call) => {
        const token = base.newToken(call);
        used.delete(token);
        return token;
      },
      admitsToken: (token, call) => {
        if (!base.admitsToken(token, call)) return false;
        used.set(token, (used.get(token) ?? 0) + 1);
        return (used.get(token) ?? 0) <= requests;
      },
    };
  };
}

const oneAlive: Change = (base) => ({
  admitsToken: (token, call) =>
    base.admitsToken(token, call) && [...call.store.tokens.keys()].at(-1) === token,
});

function isRefusedElsewhere({ refusal }: Answer, { operation }: Call): boolean {
  return refusal === "token" && operation !== "createOperation";
}

const life = { group: "life of a token" } as const;
const slow = { slow: true } as const;

const tokens: readonly Deviation[] = [
  spelt("4kb", "have 4,096 characters", () => randomBytes(3072).toString("base64url")),
  spelt("short", "have eight characters", () => randomBytes(6).toString("base64url")),
  spelt("padded", "are in base64 with +, / and padding", () => randomBytes(31).toString("base64")),
  spelt("is-key", "are the API key itself", ({ apiKey }) => apiKey),
  anywhere(
    "token-with-blanks",
    "Tokens have blanks inside.",
    () => ({
      newToken: () => `fx ${randomBytes(9).toString("hex")} ${randomBytes(9).toString("hex")}`,
      tokenIn: (header) => /^bearer +(\S.*)$/i.exec(header?.trimEnd() ?? "")?.[1],
    }),
    { group: "token", known: "open" },
  ),
  anywhere(
    "token-same",
    "Every request for a token returns the same one.",
    () => {
      const token = randomBytes(24).toString("base64url");
      return { newToken: () => token };
    },
    { group: "token" },
  ),
  anywhere(
    "blind-jwt-lenient-end",
    "A token has three parts, and its last character counts in part.",
    lenientEnds,
    { group: "token" },
  ),
  anywhere("token-five-seconds", "A token expires after five seconds.", livingSlowly(5_000), {
    ...life,
    needs: slow,
  }),
  anywhere("token-fifty-requests", "A token expires after fifty requests.", serving(50), life),
  anywhere("token-one-alive", "A new token revokes the previous one.", oneAlive, life),
  anywhere(
    "token-one-alive-404",
    "A new token revokes the previous one; bad tokens get a 404, and 401 for operations.",
    all(oneAlive, answers(isRefusedElsewhere, set({ status: 404 }))),
    life,
  ),
  deviation(
    "token-described",
    "A token comes with token_type and expires_in.",
    shows(set({ token_type: "Bearer", expires_in: 3600 })),
  ),
  deviation("token-201", "A token comes with 201.", succeeds(set({ status: 201 }))),
];

export const token: readonly Deviation[] = [
  ...member(places.token, "token", { value: "AUTH-01" }, ["missing", "number"], {
    "empty-later": [
      "is an empty string from the second one on",
      fromSecondOn(fixedValue("")),
      "value",
      "later",
    ],
  }),
  deviation(
    "token-wants-body",
    "A request for a token is refused if it has no body.",
    gives(badRequest, isEmpty),
    { breaks: ["AUTH-02", "AUTH-03"] },
  ),
  deviation(
    "token-wants-content-type",
    "A request for a token is refused if it has no Content-Type.",
    gives(badRequest, isUntyped),
    { breaks: "AUTH-02", when: "data" },
  ),
  deviation(
    "token-refuses-content-type",
    "A request for a token is refused if it has a Content-Type and no body.",
    gives(badRequest, isTypedAndEmpty),
    { breaks: "AUTH-03" },
  ),
  deviation(
    "token-refuses-content-type-later",
    "A later request for a token is refused if it has a Content-Type and no body.",
    gives(badRequest, (call) => call.store.tokens.size > 0 && isTypedAndEmpty(call)),
    { breaks: "AUTH-03", when: "later" },
  ),
  ...wrongKeys,
  ...tokens,
];
