import { randomBytes } from "node:crypto";
import {
  conformant,
  inconclusive,
  nonconformant,
  type HostileTarget,
  type Running,
} from "../hostile-target.ts";
import type { OperationName } from "../../../spec/operations.ts";
import {
  answers,
  around,
  isJson,
  problem,
  succeeded,
  successOf,
} from "../../../reference/change.ts";
import { obedientBut, obedientButBytes } from "../obedient-but.ts";

/** Obeys, but the text of each success of the operation is changed. */
function withText(
  operation: OperationName,
  change: (text: string) => string | Buffer,
): () => Promise<Running> {
  return obedientButBytes(successOf(operation), change);
}

/** Obeys, but each success of the operation begins with a further member. */
function memberIn(operation: OperationName, member: string): () => Promise<Running> {
  return withText(operation, (text) => text.replace("{", () => `{${member},`));
}

/** Obeys, but every refusal has another message. */
function refusalsSaying(message: string): () => Promise<Running> {
  return obedientButBytes(
    ({ status }) => status >= 400,
    () => JSON.stringify({ message }),
  );
}

/** Obeys for 250 requests, then refuses all good tokens, and complains of too many requests. */
async function refusingAll(): Promise<Running> {
  const mostRequests = 1500;
  let last = 0;
  const running = await obedientBut(
    around(async (call, next) => {
      last += 1;
      const isRefused = last > 250 && call.operation !== "createToken";
      const answer = await next(call);
      return isRefused ? problem(403, "no") : answer;
    }),
  )();
  return {
    ...running,
    complaints: () => (last > mostRequests ? [`${last} requests`] : []),
  };
}

/** Members that have the names of properties which JavaScript objects inherit. */
const inherited =
  '"__proto__":{"polluted":true,"status":"x"},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null,"length":-1,"then":"now"';

const deep = 100_000;

/** Bodies that are hard to read: deep, huge or malformed. */
export const content: readonly HostileTarget[] = [
  conformant("deep-extra", "Obeys, with an extra member nested 100,000 deep in the list.", {
    inSmoke: true,
    says: /GET \/batches: the response has more than 1000 levels of lists and objects, and was judged down to there\./,
  }).by(memberIn("listBatches", `"x":${"[".repeat(deep)}${"]".repeat(deep)}`)),
  nonconformant("deep-batches", "Lists one element that is nested 1,000,000 deep.", {
    inSmoke: true,
    blamed: ["BATCH-20"],
  }).by(
    withText(
      "listBatches",
      () => `{"batches":${"[".repeat(10 * deep)}${"]".repeat(10 * deep)},"count":1,"total":1}`,
    ),
  ),
  inconclusive("values-many", "Lists two million numbers.", {
    inSmoke: true,
    also: [],
    says: /GET \/batches: the body has more than 2000000 values, and was not judged\./,
  }).by(
    withText("listBatches", () => `{"batches":[${"1,".repeat(2_000_000)}1],"count":1,"total":1}`),
  ),
  nonconformant("elements-empty", "Lists 300,000 empty lists in the place of batches.", {
    inSmoke: true,
    options: ["--timeout", "10s"],
    blamed: ["BATCH-20"],
    within: 20,
  }).by(
    withText("listBatches", () => `{"batches":[${"[],".repeat(299_999)}[]],"count":1,"total":1}`),
  ),
  conformant(
    "prototype-members",
    "Obeys, with members named __proto__, constructor, toString and hasOwnProperty in every success.",
  ).by(obedientButBytes(succeeded, (text) => text.replace("{", () => `{${inherited},`))),
  conformant(
    "line-10-mb",
    "Obeys, and refuses with messages of 10 MB in one line, full of terminal escapes and markup.",
    { options: ["--timeout", "20s", "--only", "AUTH-20,OPER-33"], megabytes: 900, within: 40 },
  ).by(refusalsSaying("\u001b[31m</script>]]>|`::error::\u202e\u0000".repeat(150_000))),
  inconclusive("surrogates", "Obeys, with lone surrogates in ids, token and messages.").by(
    obedientButBytes(
      () => true,
      (text) => text.replace(/("(?:id|operation_id|message)":")/g, "$1\\ud800x\\udc00"),
    ),
  ),
  nonconformant("token-split", "Issues tokens that contain a header injection.", {
    blamed: ["AUTH-01"],
  }).by(
    withText("createToken", () =>
      JSON.stringify({ token: "abcdefgh\r\nx-injected: 1\r\n\r\nGET / HTTP/1.1" }),
    ),
  ),
  nonconformant(
    "token-common-word",
    "Issues a token of one letter, which occurs in all responses.",
    {
      blamed: ["AUTH-04"],
    },
  ).by(withText("createToken", () => '{"token":"e"}')),
  conformant("credentials-endless", "Obeys, and issues 20 new texts of 64 KB with each token.", {
    inSmoke: true,
    megabytes: 300,
  }).by(
    withText("createToken", (text) =>
      JSON.stringify({
        ...(JSON.parse(text) as object),
        ...Array.from({ length: 20 }, () => randomBytes(49_152).toString("base64")),
      }),
    ),
  ),
  inconclusive(
    "refuses-later",
    "Obeys, and refuses every token with 403 from its 251st request on.",
    {
      options: ["--runs", "25"],
      also: [],
      within: 60,
    },
  ).by(refusingAll),
  nonconformant("ids-are-tokens", "Obeys, and uses its tokens as ids of batches.", {
    blamed: ["BATCH-02", "BATCH-24", "BATCH-35"],
  }).by(() => {
    let issued = "";
    return obedientBut(
      answers(succeeded, (answer, { operation }) => {
        const body = isJson(answer.body) ? answer.body : {};
        if (operation === "createToken") issued = String(body["token"]);
        if (operation !== "createBatch") return answer;
        return { ...answer, body: { ...body, id: issued, currency_pair: issued } };
      }),
    )();
  }),
];
