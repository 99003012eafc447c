import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { makeCertificate } from "../../reference/certificate.ts";
import {
  around,
  htmlPage,
  instead,
  problem,
  rawResponse,
  remembering,
  succeeded,
  successOf,
  withBytes,
  type When,
} from "../../reference/change.ts";
import type { Answer, Change } from "../../reference/policy.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { referenceRuns } from "../reference-run.ts";

vi.setConfig({ testTimeout: 900_000 });

const { against, fxconform } = referenceRuns("hostile-key-5f1d0c77");

/** A server that misbehaves, and the expected result of a run against it. */
interface HostileTarget {
  /** The exit code of the run. */
  readonly exits: 0 | 1 | 3;
  /** In what the server does not obey. */
  readonly change: Change;
  /** Requirements that must fail. */
  readonly blamed?: readonly RequirementId[];
  /** A pattern that the output or a warning must match. */
  readonly says?: RegExp;
  /** The most memory that the run may hold at once, in megabytes. @defaultValue 650 */
  readonly megabytes?: number;
  /** Further options of the run, such as a profile that shows the misbehaviour sooner. */
  readonly options?: string;
}

const smoke = "--profile smoke";

/** The bytes of the responses that `when` selects are others. */
function bytes(when: When, change: (text: string) => string | Buffer): Change {
  return rawResponse(when, (raw) => withBytes(raw, Buffer.from(change(raw.bytes.toString()))));
}

/** The text of each list is changed. */
const listText = (change: (text: string) => string): Change =>
  bytes(successOf("listBatches"), change);

/** Obeys until the `nth` request, and then always sends this response. */
function from(
  nth: number,
  answer: Answer,
  isSent = (_operation: string | undefined): boolean => true,
) {
  return remembering(() => {
    let requests = 0;
    return around(async (call, next) => {
      requests += 1;
      const own = await next(call);
      return requests >= nth && isSent(call.operation) ? answer : own;
    });
  });
}

/** Writes as fast as the client reads, until the client disconnects. */
function pour(socket: Socket, chunk: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.writable)
      if (!socket.write(chunk)) return void socket.once("drain", more);
  };
  more();
}

const endlessList: Change = (base) => ({
  deliver: (raw, response, call) => {
    if (call.operation !== "listBatches" || !succeeded(raw) || response.socket === null)
      return base.deliver(raw, response, call);
    response.socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
    pour(response.socket, Buffer.alloc(65_536, " "));
  },
});

/** Lists as a gigabyte of spaces, compressed with gzip. Such a file may consist of several members. */
const gzipBomb: Change = rawResponse(successOf("listBatches"), (raw) => {
  const member = gzipSync(Buffer.alloc(1_048_576, " "), { level: 9 });
  const packed = withBytes(raw, Buffer.concat(Array<Buffer>(1024).fill(member)));
  return { ...packed, headers: { ...packed.headers, "content-encoding": "gzip" } };
});

/** Members that have the names of properties which JavaScript objects inherit. */
const inherited =
  '"__proto__":{"polluted":true,"status":"x"},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null,"length":-1,"then":"now"';

const deep = `"x":${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const longRefusal = JSON.stringify({
  message: "\u001b[31m</script>]]>|`::error::\u202e\u0000".repeat(150_000),
});

const targets: Readonly<Record<string, HostileTarget>> = {
  "sends an endless list, as fast as it is read": {
    exits: 3,
    options: `${smoke} --max-body 4MiB`,
    change: endlessList,
  },
  "sends a list that decompresses to a gigabyte": {
    exits: 3,
    options: `${smoke} --max-body 16MiB`,
    says: /--max-body/,
    change: gzipBomb,
  },
  "has a member nested 100,000 deep in the list": {
    exits: 0,
    options: smoke,
    says: /GET \/batches: the response has more than 1000 levels of lists and objects, and was judged down to there\./,
    change: listText((text) => text.replace("{", () => `{${deep},`)),
  },
  "lists two million numbers": {
    exits: 3,
    options: smoke,
    says: /GET \/batches: the body has more than 2000000 values, and was not judged\./,
    change: listText(() => `{"batches":[${"1,".repeat(2_000_000)}1],"count":1,"total":1}`),
  },
  "has members named __proto__, constructor, toString and hasOwnProperty in every success": {
    exits: 0,
    change: bytes(succeeded, (text) => text.replace("{", () => `{${inherited},`)),
  },
  "refuses with messages of 10 MB in one line, full of terminal escapes and markup": {
    exits: 0,
    options: "--timeout 20s --only AUTH-20,OPER-33",
    megabytes: 900,
    change: bytes(
      ({ status }) => status >= 400,
      () => longRefusal,
    ),
  },
  "has lone surrogates in ids, token and messages": {
    exits: 3,
    change: bytes(
      () => true,
      (text) => text.replace(/("(?:id|operation_id|message)":")/g, "$1\\ud800x\\udc00"),
    ),
  },
  "issues 20 new texts of 64 KB with each token": {
    exits: 0,
    options: smoke,
    megabytes: 300,
    change: bytes(successOf("createToken"), (text) =>
      JSON.stringify({
        ...(JSON.parse(text) as object),
        ...Array.from({ length: 20 }, () => randomBytes(49_152).toString("base64")),
      }),
    ),
  },
  "refuses every token from its 251st request on": {
    exits: 3,
    options: "--runs 25",
    change: from(251, problem(403, "no"), (operation) => operation !== "createToken"),
  },
  "answers with 503 and a Retry-After in the year 9999 from its fifteenth request on": {
    exits: 3,
    change: from(15, problem(503, "down", { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" })),
  },
  "answers with a page about maintenance and 200 from its fortieth request on": {
    exits: 1,
    blamed: ["HTTP-01"],
    change: from(40, htmlPage(200)),
  },
};

type Trial = Awaited<ReturnType<typeof fxconform>>;

function judge(
  { exits, says = /./, blamed = [], megabytes = 650 }: Omit<HostileTarget, "change">,
  { code, stdout, run, ...trial }: Trial,
): void {
  expect(code, stdout).toBe(exits);
  const whole = { 0: run.complete ? "conformant" : "partial", 1: "nonconformant" } as const;
  expect(run.outcome).toBe(exits === 3 ? "inconclusive" : whole[exits]);
  const failed = run.requirements.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  expect(failed, stdout).toEqual(blamed);
  expect(`${stdout}\n${run.warnings.join("\n")}`).toMatch(says);
  expect(JSON.stringify(run).length).toBeLessThan(5_000_000);
  expect(run.requests).toBeLessThan(1500);
  expect(stdout).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(stdout.length).toBeLessThan(100_000);
  expect(trial.megabytes, stdout).toBeLessThan(megabytes);
}

const usual = "--timeout 1s --grace 300ms --runs 3 --profile full".split(" ");

test.each(Object.entries(targets))(
  "a server that %s is judged rightly and within bounds",
  async (_, { change, options = "", ...target }) => {
    const words = [...usual, ...options.split(" ").filter(Boolean)];
    const trial = await against({ changes: [change] }, (own) =>
      fxconform(["run", ...own, ...words]),
    );
    judge(target, trial);
  },
);

test("a server that redirects every request has the run send nothing elsewhere", async () => {
  const followed: unknown[] = [];
  const other = createServer(({ url }, response) => {
    followed.push(url);
    response.end();
  });
  const headers = { location: `http://127.0.0.1:${await listening(other)}` };
  const change = instead(() => true, { status: 307, headers });
  const trial = await against({ changes: [change] }, (own) => fxconform(["run", ...own]));
  judge({ exits: 3, says: /307 with Location .*Redirections are not followed/ }, trial);
  expect(followed).toEqual([]);
});

test("a server whose certificate nobody signed gets no request", async () => {
  const { key, cert } = await makeCertificate();
  const received: unknown[] = [];
  const server = createSecureServer({ key, cert }, ({ url }, response) => {
    received.push(url);
    response.end();
  });
  const address = `https://127.0.0.1:${await listening(server)}`;
  const trial = await fxconform(["run", "--base-url", address, "--customer-id", "c1"]);
  judge({ exits: 3, says: /--ca/ }, trial);
  expect(received).toEqual([]);
});
