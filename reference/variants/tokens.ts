import { createHmac, randomBytes } from "node:crypto";
import { all, answers, around, pause } from "../change.ts";
import { set } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

const spelt =
  (spell: (call: Call) => string): Change =>
  () => ({ newToken: spell });

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JSON Web Token (RFC 7519), signed with a secret of this process. */
function webToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: "fx", sub: "corporate", iat: now, exp: now + 3600, jti: randomBytes(6).toString("hex") };
  const content = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

const secret = randomBytes(32);

/** A token expires `life` milliseconds after its issue. */
const living =
  (life: number): Change =>
  (base) => ({
    admitsToken: (token, call) => base.admitsToken(token, call) && !isLapsed(call.store.tokens.get(token), life),
  });

const isLapsed = (issued: number | undefined, life: number): boolean =>
  issued !== undefined && Date.now() - issued > life;

/** The same, on a server that is slow enough for tokens to expire during a run. */
const livingSlowly = (life: number): Change =>
  all(
    living(life),
    around(async (call, next) => {
      await pause(80);
      return next(call);
    }),
  );

/** A token expires after `requests` requests. */
const serving =
  (requests: number): Change =>
  (base) => {
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

const look = { slot: "token" } as const;
const life = { slot: "life of a token", answers: "OPEN-19" } as const;
const slow = { needs: { slow: true } } as const;

/** Tokens of other forms and lifetimes. */
export const tokenVariants: readonly Variant[] = [
  row("scheme-any", "A good token is accepted with any scheme, and without one.", { answers: "OPEN-24" }).by(
    (given) => ({
      tokenIn: (header, call) => given.tokenIn(header, call) ?? /^(?:\S+ +)?(\S+)$/.exec(header ?? "")?.[1],
    }),
  ),
  row("token-jwt", "Tokens are JSON Web Tokens.", look).by(spelt(webToken)),
  row("token-4kb", "Tokens have 4,096 characters.", look).by(spelt(() => randomBytes(3072).toString("base64url"))),
  row("token-short", "Tokens have eight characters.", look).by(spelt(() => randomBytes(6).toString("base64url"))),
  row("token-padded", "Tokens are in base64 with +, / and padding.", look).by(
    spelt(() => randomBytes(31).toString("base64")),
  ),
  row("token-hex", "Tokens are in hexadecimal digits.", look).by(spelt(() => randomBytes(16).toString("hex"))),
  row("token-dotted", "Tokens contain dots, tildes and hyphens.", look).by(
    spelt(() => `v1.~${randomBytes(9).toString("hex")}-${randomBytes(4).toString("hex")}.`),
  ),
  row("token-same", "Every request for a token returns the same one.", { slot: "token", answers: "OPEN-20" }).by(() => {
    const token = randomBytes(24).toString("base64url");
    return { newToken: () => token };
  }),
  row("token-is-key", "The token is the API key itself.", { slot: "token", answers: "OPEN-20" }).by(
    spelt((call) => call.apiKey),
  ),
  row("token-two-seconds", "A token expires after two seconds; every response takes 80 ms.", {
    ...life,
    ...slow,
    rare: true,
  }).by(livingSlowly(2_000)),
  row("token-five-seconds", "A token expires after five seconds; every response takes 80 ms.", {
    ...life,
    ...slow,
  }).by(livingSlowly(5_000)),
  row(
    "token-five-seconds-403",
    "A token expires after five seconds; POST /corporate/operation then returns 401, the others 403; every response takes 80 ms.",
    { ...life, ...slow },
  ).by(
    all(
      livingSlowly(5_000),
      answers(
        (answer, call) => {
          const lapsed = isLapsed(call.store.tokens.get(call.headers.authorization?.slice(7) ?? ""), 5_000);
          return answer.refusal === "token" && call.operation !== "createOperation" && lapsed;
        },
        set({ status: 403, body: { message: "The token has lapsed" } }),
      ),
    ),
  ),
  row("token-ten-seconds", "A token expires after ten seconds.", life).by(living(10_000)),
  row("token-one-alive", "A new token revokes the previous one.", { slot: "life of a token", answers: "OPEN-21" }).by(
    (base) => ({
      admitsToken: (token, call) => base.admitsToken(token, call) && [...call.store.tokens.keys()].at(-1) === token,
    }),
  ),
  row("token-fifty-requests", "A token expires after fifty requests.", life).by(serving(50)),
  row("token-twenty-requests", "A token expires after twenty requests.", { ...life, rare: true }).by(serving(20)),
  row("token-described", "The response with a token also has token_type and expires_in.").by(
    answers(
      (answer, call) => call.operation === "createToken" && answer.status < 300,
      (answer) => ({ ...answer, body: { ...Object(answer.body), token_type: "Bearer", expires_in: 3600 } }),
    ),
  ),
  row("token-raw", "A token is also accepted without the scheme.", { answers: "OPEN-24" }).by((base) => ({
    tokenIn: (header, call) => base.tokenIn(header, call) ?? (header?.includes(" ") === false ? header : undefined),
  })),
];
