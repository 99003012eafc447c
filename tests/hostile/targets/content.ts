import {
  conformant,
  either,
  inconclusive,
  nonconformant,
  type HostileTarget,
  type Running,
} from "../hostile-target.ts";
import type { OperationName } from "../../../spec/operations.ts";
import {
  isSuccess,
  obedientBut,
  obedientButFor,
  obedientButIn,
  withBody,
  withJson,
  type Answer,
} from "../obedient-but.ts";

/** Obeys; the text of each success of the operation is changed. */
const textOf = (operation: OperationName, change: (text: string) => string | Buffer): (() => Promise<Running>) =>
  obedientButIn(operation, (answer) => withBody(answer, change(answer.body.toString())));

/** Obeys; a member is put in front of each success of the operation. */
const memberIn = (operation: OperationName, member: string): (() => Promise<Running>) =>
  textOf(operation, (text) => text.replace("{", () => `{${member},`));

/** Obeys; every refusal has another message. */
const refusalsSaying = (message: string): (() => Promise<Running>) => {
  const body = Buffer.from(JSON.stringify({ message }));
  return () => obedientButFor((answer) => (answer.status < 400 ? answer : withBody(answer, body)));
};

const jsonAnswer = (status: number, body: string): Answer =>
  withBody({ status, headers: { "content-type": "application/json" }, body: Buffer.alloc(0) }, body);

const always =
  (answer: Answer): (() => Promise<Running>) =>
  () =>
    obedientBut(({ send }) => send(answer));

/** Members that every object of JavaScript has. */
const inherited =
  '"__proto__":{"polluted":true,"status":"x"},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null,"length":-1,"then":"now"';

const deep = 100_000;
const missingList = ["BATCH-06", "BATCH-07", "BATCH-08", "BATCH-09"] as const;

/** Bodies that are a burden to read. */
export const content: readonly HostileTarget[] = [
  conformant("deep-extra", "Obeys, with an extra member nested 100,000 deep in the list.").by(
    memberIn("listBatches", `"x":${"[".repeat(deep)}${"]".repeat(deep)}`),
  ),
  conformant("deep-objects", "Obeys, with an extra member of 100,000 objects in each other in every operation.", {
    options: ["--timeout", "10s"],
    megabytes: 700,
  }).by(memberIn("createOperation", `"x":${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`)),
  nonconformant("deep-status", "Has lists nested 100,000 deep where the status of an operation should be.", {
    options: ["--timeout", "10s", "--only", "OPER-02"],
    megabytes: 900,
    within: 25,
    blamed: ["OPER-02"],
    also: ["OPER-01", "OPER-03", "OPER-04", "OPER-05", "OPER-06", "OPER-07", "OPER-08", "OPER-09", "OPER-10"],
  }).by(
    textOf("createOperation", (text) =>
      text.replace(/"status":"[^"]*"/, () => `"status":${"[".repeat(deep)}${"]".repeat(deep)}`),
    ),
  ),
  nonconformant("deep-broken", "Opens 100,000 lists in the answer of the list and closes none.", {
    blamed: ["HTTP-02"],
    also: missingList,
  }).by(textOf("listBatches", () => "[".repeat(deep))),
  conformant(
    "prototype-members",
    "Obeys, with members named __proto__, constructor, toString and hasOwnProperty in every success.",
  ).by(() =>
    obedientButFor((answer) =>
      isSuccess(answer)
        ? withBody(
            answer,
            answer.body.toString().replace("{", () => `{${inherited},`),
          )
        : answer,
    ),
  ),
  conformant("prototype-ids", "Obeys, and gives ids such as __proto__ and constructor.").by(() => {
    const odd = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "then"];
    return idsThat((id, nth) => odd[nth] ?? id);
  }),
  conformant("members-twice", "Has every member of an operation's status twice, first wrong and then right.").by(
    memberIn("createOperation", '"status":"draft","batch_id":"b"'),
  ),
  conformant("string-50-mb", "Obeys, with a string of 50 MB in the answer to each batch.", {
    options: ["--timeout", "10s"],
    megabytes: 1250,
    within: 30,
  }).by(memberIn("createBatch", `"x":"${"a".repeat(50_000_000)}"`)),
  nonconformant("status-10-mb", "Has 10 MB for the status of each operation that is created.", {
    options: ["--timeout", "20s", "--only", "OPER-02", "--runs", "1"],
    megabytes: 1500,
    within: 30,
  }).by(textOf("createOperation", (text) => text.replace("pending_quote", "p".repeat(10_000_000)))),
  conformant(
    "line-10-mb",
    "Obeys, and refuses with messages of 10 MB in one line, full of terminal escapes and markup.",
    { options: ["--timeout", "20s", "--only", "AUTH-20,OPER-33"], megabytes: 900, within: 40 },
  ).by(refusalsSaying("\u001b[31m</script>]]>|`::error::\u202e\u0000".repeat(150_000))),
  conformant("error-20-mb", "Obeys, and refuses with messages of 20 MB.", {
    options: ["--timeout", "20s", "--only", "AUTH-20,OPER-33"],
    megabytes: 900,
    within: 40,
  }).by(refusalsSaying("no ".repeat(6_700_000))),
  inconclusive("surrogates", "Obeys, with lone surrogates in ids, token and messages.").by(() =>
    obedientButFor((answer) =>
      withBody(answer, answer.body.toString().replace(/("(?:id|operation_id|message)":")/g, "$1\\ud800x\\udc00")),
    ),
  ),
  nonconformant("byte-order-mark", "Puts a byte order mark before every list.", {
    blamed: ["HTTP-02"],
    also: missingList,
  }).by(textOf("listBatches", (text) => `\ufeff${text}`)),
  nonconformant("utf-16", "Sends the list in UTF-16.", { blamed: ["HTTP-03"], also: ["HTTP-02", ...missingList] }).by(
    textOf("listBatches", (text) => Buffer.from(`\ufeff${text}`, "utf16le")),
  ),
  conformant("number-endless", "Obeys, with a number of a million digits in every list.").by(
    memberIn("listBatches", `"x":1${"0".repeat(1_000_000)}`),
  ),
  nonconformant("elements-million", "Lists a million batches that are none.", {
    options: ["--timeout", "10s", "--only", "BATCH-20,BATCH-24"],
    megabytes: 1000,
    blamed: ["BATCH-20"],
    within: 40,
  }).by(textOf("listBatches", () => `{"batches":[${"1,".repeat(999_999)}1],"count":1000000,"total":1000000}`)),
  conformant("members-million", "Obeys, with a hundred thousand extra members in every operation.", {
    options: ["--timeout", "10s"],
    megabytes: 1000,
    within: 40,
  }).by(memberIn("createOperation", Array.from({ length: 100_000 }, (_, i) => `"m${i}":${i}`).join(","))),
  nonconformant(
    "faults-everywhere",
    "Has a wrong type in every member of every success, and other words in every refusal.",
  ).by(() => {
    let nth = 0;
    return obedientButFor((answer) => {
      nth += 1;
      if (!isSuccess(answer)) return withJson(answer, () => ({ message: nth, [`m${nth}`]: nth }));
      return withJson(answer, (body) =>
        "token" in body ? body : Object.fromEntries(Object.keys(body).map((name) => [name, [nth, name]])),
      );
    });
  }),
  nonconformant("empty-200", "Answers everything with 200 and no body.", { blamed: ["HTTP-06"], also: "any" }).by(
    always({ status: 200, headers: { "content-length": "0" }, body: Buffer.alloc(0) }),
  ),
  nonconformant("object-200", "Answers everything with 200 and an empty object.", {
    blamed: ["AUTH-01"],
    also: "any",
  }).by(always(jsonAnswer(200, "{}"))),
  nonconformant("null-200", "Answers everything with 200 and null.", { blamed: ["AUTH-01"], also: "any" }).by(
    always(jsonAnswer(200, "null")),
  ),
  nonconformant("token-200", "Answers everything with 200 and a token.", { blamed: ["OPER-02"], also: "any" }).by(
    always(jsonAnswer(200, '{"token":"abcdefghijkl","id":"1","operation_id":"1"}')),
  ),
  inconclusive("token-megabyte", "Issues tokens of a megabyte.", { says: /no header can carry/, within: 30 }).by(
    textOf("createToken", () => JSON.stringify({ token: "t".repeat(1_000_000) })),
  ),
  inconclusive("token-new-and-long", "Issues another token of 200 KB to each request, and takes none of them.", {
    within: 40,
  }).by(() => {
    let nth = 0;
    return textOf("createToken", () => JSON.stringify({ token: `${nth++}${"t/+".repeat(66_666)}` }))();
  }),
  nonconformant("token-split", "Issues tokens that would begin another header field.", { blamed: ["AUTH-01"] }).by(
    textOf("createToken", () => JSON.stringify({ token: "abcdefgh\r\nx-injected: 1\r\n\r\nGET / HTTP/1.1" })),
  ),
  nonconformant("token-object", "Issues an object for a token.", { blamed: ["AUTH-01"] }).by(
    textOf("createToken", () => '{"token":{"toString":"x"}}'),
  ),
  nonconformant("token-half-character", "Issues a token with half a character in it.", { blamed: ["AUTH-01"] }).by(
    textOf("createToken", () => '{"token":"abcdefgh\\ud800"}'),
  ),
  nonconformant("token-common-word", "Issues a token of one letter that stands everywhere in its answers.", {
    blamed: ["AUTH-04"],
  }).by(textOf("createToken", () => '{"token":"e"}')),
  nonconformant("ids-are-tokens", "Obeys, and gives its tokens for ids of batches.", {
    blamed: ["BATCH-02", "BATCH-24", "BATCH-35"],
  }).by(() => {
    let issued = "";
    return obedientButFor((answer, { operation }) => {
      if (!isSuccess(answer)) return answer;
      return withJson(answer, (body) => {
        if (operation === "createToken") issued = String(body["token"]);
        return operation === "createBatch" ? { ...body, id: issued, currency_pair: issued } : body;
      });
    });
  }),
  either([0, 1, 3], "ids-megabyte", "Obeys, and gives ids of a megabyte.", {
    options: ["--timeout", "10s", "--only", "OPER-02,ACAM-01", "--runs", "1"],
    megabytes: 2000,
    within: 60,
  }).by(() => idsThat((id) => id + "i".repeat(1_000_000))),
  either([0, 1, 3], "ids-hostile", "Obeys, and gives ids full of control characters, slashes, quotes and markup.").by(
    () => idsThat((id) => `${id}/../?#%00\u0000\r\n\u001b]0;title\u0007'"\`$(id)</script>]]>&\u202e\ud800`),
  ),
];

/** Obeys, and shows other ids than its own wherever it shows one. */
const idsThat = (shown: (id: string, nth: number) => string): Promise<Running> => {
  const given = new Map<string, string>();
  const own = new Map<string, string>();
  const shownFor = (id: string): string => {
    const other = given.get(id) ?? shown(id, given.size);
    given.set(id, other);
    own.set(other, id);
    return other;
  };
  const segment = (text: string): string => encodeURIComponent(own.get(decodeURIComponent(text)) ?? text);
  return obedientBut(async (call) => {
    const url = (call.request.url ?? "").replace(/(?<=\/corporate\/operation\/)[^/]+(?=\/acam$)/, segment);
    const text = call.body.toString();
    const body =
      call.operation === "createOperation" && text.startsWith("{") && text.endsWith("}")
        ? Buffer.from(
            text.replace(/(?<="counterparty_id":)"(?:[^"\\]|\\.)*"/, (id) =>
              JSON.stringify(own.get(JSON.parse(id) as string) ?? JSON.parse(id)),
            ),
          )
        : call.body;
    const answer = await call.obedient({ url, body });
    if (!isSuccess(answer)) return call.send(answer);
    const names = /"(id|operation_id|counterparty_id|batch_id)":"([^"]+)"/g;
    const other = answer.body
      .toString()
      .replace(names, (_, name: string, id: string) => `"${name}":${JSON.stringify(shownFor(id))}`);
    call.send(withBody(answer, other));
  });
};
