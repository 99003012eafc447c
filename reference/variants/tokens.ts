import { createHmac, randomBytes } from "node:crypto";
import { all, answers, delayed, success, set } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { row, rowsWith, type Variant } from "./variant.ts";

function spelt(id: string, what: string, spell: (call: Call) => string): Variant {
  return row(`token-${id}`, `Tokens ${what}.`, { slot: "token" }).by(() => ({ newToken: spell }));
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const secret = randomBytes(32);

/** A JSON Web Token (RFC 7519), signed with a secret of this process. */
function webToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: "fx",
    sub: "corporate",
    iat: now,
    exp: now + 3600,
    jti: randomBytes(6).toString("hex"),
  };
  const content = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
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

function isLapsedElsewhere({ refusal }: Answer, call: Call): boolean {
  return (
    refusal === "token" &&
    call.operation !== "createOperation" &&
    isLapsed(call.store.tokens.get(call.headers.authorization?.slice(7) ?? ""), 5_000)
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

function finding(pattern: RegExp): Change {
  return (base) => ({
    tokenIn: (header, call) => base.tokenIn(header, call) ?? pattern.exec(header ?? "")?.[1],
  });
}

const scheme = rowsWith({ answers: "OPEN-24" });
const unlike = rowsWith({ slot: "token", answers: "OPEN-20" });
const life = rowsWith({ slot: "life of a token", answers: "OPEN-19" });
const slowLife = rowsWith({ slot: "life of a token", answers: "OPEN-19", needs: { slow: true } });

const described = set({ token_type: "Bearer", expires_in: 3600 });
const lapsed = set({ status: 403, body: { message: "The token has lapsed" } });

export const tokenVariants: readonly Variant[] = [
  scheme("scheme-any", "A good token is accepted with any scheme, and without one.").by(
    finding(/^(?:\S+ +)?(\S+)$/),
  ),
  scheme("token-raw", "A token is also accepted without the scheme.").by(finding(/^([^ ]+)$/)),
  spelt("jwt", "are JSON Web Tokens", webToken),
  unlike("token-with-blanks", "Tokens have blanks inside.", { rare: true }).by(() => ({
    newToken: () => `fx ${randomBytes(9).toString("hex")} ${randomBytes(9).toString("hex")}`,
    tokenIn: (header) => /^bearer +(.*\S)$/i.exec(header ?? "")?.[1],
  })),
  spelt("4kb", "have 4,096 characters", () => randomBytes(3072).toString("base64url")),
  spelt("short", "have eight characters", () => randomBytes(6).toString("base64url")),
  spelt("padded", "are in base64 with +, / and padding", () => randomBytes(31).toString("base64")),
  spelt("hex", "are in hexadecimal digits", () => randomBytes(16).toString("hex")),
  spelt(
    "dotted",
    "contain dots, tildes and hyphens",
    () => `v1.~${randomBytes(13).toString("hex")}-.`,
  ),
  unlike("token-same", "Every request for a token returns the same one.").by(() => {
    const token = randomBytes(24).toString("base64url");
    return { newToken: () => token };
  }),
  unlike("token-is-key", "The token is the API key itself.").by(() => ({
    newToken: ({ apiKey }) => apiKey,
  })),
  slowLife("token-two-seconds", "A token expires after two seconds.", { rare: true }).by(
    livingSlowly(2_000),
  ),
  slowLife("token-five-seconds", "A token expires after five seconds.").by(livingSlowly(5_000)),
  slowLife(
    "token-five-seconds-403",
    "After five seconds, a token gets a 403, and 401 for operations.",
  ).by(all(livingSlowly(5_000), answers(isLapsedElsewhere, lapsed))),
  life("token-ten-seconds", "A token expires after ten seconds.").by(living(10_000)),
  life("token-fifty-requests", "A token expires after fifty requests.").by(serving(50)),
  life("token-twenty-requests", "A token expires after twenty requests.", { rare: true }).by(
    serving(20),
  ),
  life("token-one-alive", "A new token revokes the previous one.", { answers: "OPEN-21" }).by(
    oneAlive,
  ),
  life(
    "token-one-alive-404",
    "A new token revokes the previous one; bad tokens get a 404, and 401 for operations.",
    { answers: "OPEN-21" },
  ).by(all(oneAlive, answers(isRefusedElsewhere, set({ status: 404 })))),
  row("token-described", "A token comes with token_type and expires_in.").by(
    success("createToken", described),
  ),
];
