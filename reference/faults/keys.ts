import { problem, set } from "../change.ts";
import type { Call } from "../policy.ts";
import { rows, rowsOf, type Broken, type Fault } from "./fault.ts";
import { as, from, member, places, renamed } from "./member.ts";
import { isEmpty } from "./raw-body.ts";
import { refusals } from "./refusals.ts";

const token = rows.createToken;
const row = rowsOf("createToken", "key-");

const accepted = (id: string, broken: Broken, about: string, isAccepted: IsAccepted): Fault =>
  row(id, broken, about).by((base) => ({
    admitsKey: (key, call) => base.admitsKey(key, call) || isAccepted(key, call.apiKey),
  }));

type IsAccepted = (key: string | undefined, right: string) => boolean;
const haveEqualLength: IsAccepted = (key, right) => key?.length === right.length;
const haveEqualEnds: IsAccepted = (key = "", right) =>
  haveEqualLength(key, right) && key.slice(0, 3) === right.slice(0, 3) && key.slice(-3) === right.slice(-3);
const isBeginning: IsAccepted = (key = "", right) => key !== "" && right.startsWith(key);
const areAlike: IsAccepted = (key = "", right) => key.toLowerCase() === right.toLowerCase();

const anyKey: Broken = ["AUTH-08", "AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"];
const ofLength: Broken = ["AUTH-09", "AUTH-08", "AUTH-11"];
const in200 = set({ status: 200 });
const isUntyped = (call: Call): boolean => call.headers["content-type"] === undefined;

const isTypedAndEmpty = (call: Call): boolean => !isUntyped(call) && isEmpty(call);

const refusing = (id: string, broken: Broken, when: string, isRefused: (call: Call) => boolean): Fault =>
  token(id, broken, `A request for a token is refused if ${when}.`).gives(problem(400, "Bad request"), isRefused);

export const keyFaults: readonly Fault[] = [
  ...member(places.token, "token", { value: "AUTH-01" }, ["missing", "number", "null"], {
    empty: ["is an empty string", as("")],
    renamed: ["is called access_token, as in OAuth", renamed("access_token")],
    wrapped: ["is an object with a value", from((body) => ({ value: body["token"] }))],
  }),
  refusing("wants-body", ["AUTH-02", "AUTH-03"], "it has no body", isEmpty),
  refusing("wants-content-type", "AUTH-02", "it has no Content-Type", isUntyped),
  refusing("refuses-content-type", "AUTH-03", "it has a Content-Type and no body", isTypedAndEmpty),
  accepted("missing-accepted", "AUTH-05", "A request without a key gets a token.", (key) => key === undefined),
  accepted("empty-accepted", "AUTH-06", "An empty key gets a token.", (key) => key === ""),
  accepted("truncated-accepted", "AUTH-07", "The beginning of the key gets a token.", isBeginning),
  accepted("any-accepted", anyKey, "Every key gets a token, unless it is missing or empty.", Boolean),
  accepted("any-of-right-length-accepted", ofLength, "Only the length of the key is checked.", haveEqualLength),
  accepted("middle-ignored", ["AUTH-09", "AUTH-11"], "The middle of the key is not checked.", haveEqualEnds),
  accepted("tail-accepted", "AUTH-10", "The key with a tail gets a token.", (key = "", right) => key.startsWith(right)),
  accepted("case-ignored", "AUTH-11", "The letter case of the key is ignored.", areAlike),
  accepted("property", "AUTH-08", "Keys are looked up as properties.", (key = "") => key in Object.prototype),
  accepted("injected", "AUTH-08", "A key can inject SQL.", (key) => key?.endsWith("'OR'1'='1") ?? false),
  accepted("pattern", "AUTH-08", "Keys are read as regular expressions.", (key) => key === ".*"),
  row("refused-with-200", ["AUTH-08", "AUTH-01", ...refusals.token], "A bad key gets a 200.").refuses("any", in200),
];
