import type { HostileTarget, Running } from "../hostile-target.ts";
import { isSuccess, obedientBut, obedientButFor, withBody, withJson, type Answer, type Call } from "../obedient-but.ts";

/** Obeys; the text of each success of the operation is changed. */
const textOf =
  (operation: Call["operation"], change: (text: string) => string | Buffer): (() => Promise<Running>) =>
  () =>
    obedientButFor((answer, call) =>
      call.operation === operation && isSuccess(answer) ? withBody(answer, change(answer.body.toString())) : answer,
    );

/** Obeys; a member is put in front of each success of the operation. */
const memberIn = (operation: Call["operation"], member: string): (() => Promise<Running>) =>
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

const deep = 100_000;
const missingList = ["BATCH-06", "BATCH-07", "BATCH-08", "BATCH-09"] as const;

/** Bodies that are a burden to read. */
export const content: readonly HostileTarget[] = [
  {
    id: "deep-extra",
    does: "Obeys, with an extra member nested 100,000 deep in the list.",
    exits: [0],
    start: memberIn("listBatches", `"x":${"[".repeat(deep)}${"]".repeat(deep)}`),
  },
  {
    id: "deep-objects",
    options: ["--timeout", "10s"],
    megabytes: 700,
    does: "Obeys, with an extra member of 100,000 objects in each other in every operation.",
    exits: [0],
    start: memberIn("createOperation", `"x":${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`),
  },
  {
    id: "deep-status",
    options: ["--timeout", "10s", "--only", "OPER-02"],
    megabytes: 900,
    within: 25,
    does: "Has lists nested 100,000 deep where the status of an operation should be.",
    exits: [1],
    blamed: ["OPER-02"],
    also: ["OPER-01", "OPER-03", "OPER-04", "OPER-05", "OPER-06", "OPER-07", "OPER-08", "OPER-09", "OPER-10"],
    start: textOf("createOperation", (text) =>
      text.replace(/"status":"[^"]*"/, () => `"status":${"[".repeat(deep)}${"]".repeat(deep)}`),
    ),
  },
  {
    id: "deep-broken",
    does: "Opens 100,000 lists in the answer of the list and closes none.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: missingList,
    start: textOf("listBatches", () => "[".repeat(deep)),
  },
  {
    id: "prototype-members",
    does: "Obeys, with members named __proto__, constructor, toString and hasOwnProperty in every success.",
    exits: [0],
    start: () =>
      obedientButFor((answer) =>
        isSuccess(answer)
          ? withBody(
              answer,
              answer.body
                .toString()
                .replace(
                  "{",
                  () =>
                    '{"__proto__":{"polluted":true,"status":"x"},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null,"length":-1,"then":"now",',
                ),
            )
          : answer,
      ),
  },
  {
    id: "prototype-ids",
    exits: [0],
    does: "Obeys, and gives ids such as __proto__ and constructor.",
    start: () => {
      const odd = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "then"];
      return idsThat((id, nth) => odd[nth] ?? id);
    },
  },
  {
    id: "members-twice",
    exits: [0],
    does: "Has every member of an operation's status twice, first wrong and then right.",
    start: memberIn("createOperation", '"status":"draft","batch_id":"b"'),
  },
  {
    id: "string-50-mb",
    options: ["--timeout", "10s"],
    megabytes: 1250,
    does: "Obeys, with a string of 50 MB in the answer to each batch.",
    exits: [0],
    within: 30,
    start: memberIn("createBatch", `"x":"${"a".repeat(50_000_000)}"`),
  },
  {
    id: "status-10-mb",
    options: ["--timeout", "20s", "--only", "OPER-02", "--runs", "1"],
    megabytes: 1500,
    does: "Has 10 MB for the status of each operation that is created.",
    exits: [1],
    within: 30,
    start: textOf("createOperation", (text) => text.replace("pending_quote", "p".repeat(10_000_000))),
  },
  {
    id: "line-10-mb",
    options: ["--timeout", "20s", "--only", "AUTH-20,OPER-33"],
    megabytes: 900,
    does: "Obeys, and refuses with messages of 10 MB in one line, full of terminal escapes and markup.",
    exits: [0],
    within: 40,
    start: refusalsSaying("\u001b[31m</script>]]>|`::error::\u202e\u0000".repeat(150_000)),
  },
  {
    id: "error-20-mb",
    options: ["--timeout", "20s", "--only", "AUTH-20,OPER-33"],
    megabytes: 900,
    does: "Obeys, and refuses with messages of 20 MB.",
    exits: [0],
    within: 40,
    start: refusalsSaying("no ".repeat(6_700_000)),
  },
  {
    id: "surrogates",
    exits: [3],
    does: "Obeys, with lone surrogates in ids, token and messages.",
    start: () =>
      obedientButFor((answer) =>
        withBody(answer, answer.body.toString().replace(/("(?:id|operation_id|message)":")/g, "$1\\ud800x\\udc00")),
      ),
  },
  {
    id: "byte-order-mark",
    does: "Puts a byte order mark before every list.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: missingList,
    start: textOf("listBatches", (text) => `\ufeff${text}`),
  },
  {
    id: "utf-16",
    does: "Sends the list in UTF-16.",
    exits: [1],
    blamed: ["HTTP-03"],
    also: ["HTTP-02", ...missingList],
    start: textOf("listBatches", (text) => Buffer.from(`\ufeff${text}`, "utf16le")),
  },
  {
    id: "number-endless",
    does: "Obeys, with a number of a million digits in every list.",
    exits: [0],
    start: memberIn("listBatches", `"x":1${"0".repeat(1_000_000)}`),
  },
  {
    id: "elements-million",
    options: ["--timeout", "10s", "--only", "BATCH-20,BATCH-24"],
    megabytes: 1000,
    blamed: ["BATCH-20"],
    does: "Lists a million batches that are none.",
    exits: [1],
    within: 40,
    start: textOf("listBatches", () => `{"batches":[${"1,".repeat(999_999)}1],"count":1000000,"total":1000000}`),
  },
  {
    id: "members-million",
    options: ["--timeout", "10s"],
    megabytes: 1000,
    does: "Obeys, with a hundred thousand extra members in every operation.",
    exits: [0],
    within: 40,
    start: memberIn("createOperation", Array.from({ length: 100_000 }, (_, i) => `"m${i}":${i}`).join(",")),
  },
  {
    id: "faults-everywhere",
    exits: [1],
    does: "Has a wrong type in every member of every success, and other words in every refusal.",
    start: () => {
      let nth = 0;
      return obedientButFor((answer) => {
        nth += 1;
        if (!isSuccess(answer)) return withJson(answer, () => ({ message: nth, [`m${nth}`]: nth }));
        return withJson(answer, (body) =>
          "token" in body ? body : Object.fromEntries(Object.keys(body).map((name) => [name, [nth, name]])),
        );
      });
    },
  },
  {
    id: "empty-200",
    blamed: ["HTTP-06"],
    also: "any",
    does: "Answers everything with 200 and no body.",
    exits: [1],
    start: always({ status: 200, headers: { "content-length": "0" }, body: Buffer.alloc(0) }),
  },
  {
    id: "object-200",
    blamed: ["AUTH-01"],
    also: "any",
    does: "Answers everything with 200 and an empty object.",
    exits: [1],
    start: always(jsonAnswer(200, "{}")),
  },
  {
    id: "null-200",
    blamed: ["AUTH-01"],
    also: "any",
    does: "Answers everything with 200 and null.",
    exits: [1],
    start: always(jsonAnswer(200, "null")),
  },
  {
    id: "token-200",
    blamed: ["OPER-02"],
    also: "any",
    does: "Answers everything with 200 and a token.",
    exits: [1],
    start: always(jsonAnswer(200, '{"token":"abcdefghijkl","id":"1","operation_id":"1"}')),
  },
  {
    id: "token-megabyte",
    exits: [3],
    says: /no header can carry/,
    does: "Issues tokens of a megabyte.",
    within: 30,
    start: textOf("createToken", () => JSON.stringify({ token: "t".repeat(1_000_000) })),
  },
  {
    id: "token-new-and-long",
    exits: [3],
    does: "Issues another token of 200 KB to each request, and takes none of them.",
    within: 40,
    start: () => {
      let nth = 0;
      return obedientButFor((answer, { operation }) =>
        operation === "createToken" && isSuccess(answer)
          ? withBody(answer, JSON.stringify({ token: `${nth++}${"t/+".repeat(66_666)}` }))
          : answer,
      );
    },
  },
  {
    id: "token-split",
    exits: [1],
    blamed: ["AUTH-01"],
    does: "Issues tokens that would begin another header field.",
    start: textOf("createToken", () => JSON.stringify({ token: "abcdefgh\r\nx-injected: 1\r\n\r\nGET / HTTP/1.1" })),
  },
  {
    id: "token-object",
    exits: [1],
    blamed: ["AUTH-01"],
    does: "Issues an object for a token.",
    start: textOf("createToken", () => '{"token":{"toString":"x"}}'),
  },
  {
    id: "token-half-character",
    does: "Issues a token with half a character in it.",
    exits: [1],
    blamed: ["AUTH-01"],
    start: textOf("createToken", () => '{"token":"abcdefgh\\ud800"}'),
  },
  {
    id: "token-common-word",
    exits: [1],
    blamed: ["AUTH-04"],
    does: "Issues a token of one letter that stands everywhere in its answers.",
    start: textOf("createToken", () => '{"token":"e"}'),
  },
  {
    id: "ids-are-tokens",
    blamed: ["BATCH-02", "BATCH-24", "BATCH-35"],
    does: "Obeys, and gives its tokens for ids of batches.",
    exits: [1],
    start: () => {
      let issued = "";
      return obedientButFor((answer, { operation }) => {
        if (!isSuccess(answer)) return answer;
        return withJson(answer, (body) => {
          if (operation === "createToken") issued = String(body["token"]);
          return operation === "createBatch" ? { ...body, id: issued, currency_pair: issued } : body;
        });
      });
    },
  },
  {
    id: "ids-megabyte",
    options: ["--timeout", "10s", "--only", "OPER-02,ACAM-01", "--runs", "1"],

    megabytes: 2000,
    does: "Obeys, and gives ids of a megabyte.",
    exits: [0, 1, 3],
    within: 60,
    start: () => idsThat((id) => id + "i".repeat(1_000_000)),
  },
  {
    id: "ids-hostile",
    does: "Obeys, and gives ids full of control characters, slashes, quotes and markup.",
    exits: [0, 1, 3],
    start: () => idsThat((id) => `${id}/../?#%00\u0000\r\n\u001b]0;title\u0007'"\`$(id)</script>]]>&\u202e\ud800`),
  },
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
