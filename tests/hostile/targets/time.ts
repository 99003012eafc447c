import { either, inconclusive, nonconformant, type HostileTarget, type Running } from "../hostile-target.ts";
import { listening } from "../listening.ts";
import { isSuccess, obedientBut, silentFor, withBody, withJson, type Answer, type Call } from "../obedient-but.ts";
import { connect, createServer, type Socket } from "node:net";

const answerOf = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  withBody(
    { status, headers: { "content-type": "application/json", ...headers }, body: Buffer.alloc(0) },
    JSON.stringify(body),
  );

const busy = (headers: Readonly<Record<string, string>> = {}): Answer =>
  answerOf(429, { message: "slow down" }, headers);
const down = (headers: Readonly<Record<string, string>> = {}): Answer => answerOf(503, { message: "down" }, headers);

/** Obeys until the nth request, and then sends this response. */
const from =
  (nth: number, answer: Answer, is: (call: Call) => boolean = () => true): (() => Promise<Running>) =>
  () => {
    let counted = 0;
    return obedientBut(async (call) => {
      if (is(call) && ++counted >= nth) return call.send(answer);
      call.send(await call.obedient());
    });
  };

const tokens = (call: Call): boolean => call.operation === "createToken";

/** Rate limits, servers that stop, and wrong clocks. */
export const time: readonly HostileTarget[] = [
  inconclusive("429-from-the-start", "Answers everything with 429 and a Retry-After of a minute.").by(
    from(1, busy({ "retry-after": "60" })),
  ),
  inconclusive("retry-after-a-day", "From the fifteenth request on, answers 429 with a Retry-After of a day.").by(
    from(15, busy({ "retry-after": "86400" })),
  ),
  inconclusive(
    "retry-after-a-date",
    "From the fifteenth request on, answers 503 with a Retry-After in the year 9999.",
  ).by(from(15, down({ "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }))),
  nonconformant("503-for-ever", "Answers everything with 503.", { blamed: ["HTTP-04"], also: "any" }).by(
    from(1, down()),
  ),
  nonconformant("500-from-fortieth", "From the fortieth request on, answers everything with 500 and a stack trace.", {
    blamed: ["HTTP-04"],
    also: "any",
  }).by(from(40, answerOf(500, { message: "TypeError\n    at handler (/srv/app.js:1:1)\n    at async Promise.all" }))),
  nonconformant(
    "html-from-fortieth",
    "From the fortieth request on, answers everything with 200 and an HTML page about maintenance.",
  ).by(
    from(
      40,
      withBody({ status: 200, headers: { "content-type": "text/html" }, body: Buffer.alloc(0) }, "<h1>Back soon</h1>"),
    ),
  ),
  nonconformant("token-fails-from-tenth", "From the tenth request for a token on, answers 500 to them.", {
    blamed: ["HTTP-04"],
    also: ["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10"],
  }).by(from(10, answerOf(500, { message: "no" }), tokens)),
  inconclusive("token-refused-from-second", "From the second request for a token on, refuses the key.").by(
    from(2, answerOf(401, { message: "who are you?" }), tokens),
  ),
  nonconformant("token-hangs-from-third", "From the third request for a token on, never responds to them.", {
    blamed: ["HTTP-05"],
    within: 30,
  }).by(silentFor((call) => tokens(call) && call.nthOfOperation >= 3)),
  inconclusive("key-refused", "Refuses the key.", { says: /--api-key/ }).by(
    from(1, answerOf(401, { message: "who are you?" })),
  ),
  nonconformant("tokens-lapse-at-once", "Issues tokens that have already expired.", { blamed: ["AUTH-04"] }).by(
    from(1, answerOf(401, { message: "expired" }), (call) => !tokens(call)),
  ),
  inconclusive("dies", "At the fiftieth request, resets all connections and stops listening.", {
    says: /stopped responding/,
  }).by(() => mortal({ at: 50 })),
  either([0, 3], "dies-and-comes-back", "At the fiftieth request, stops listening for half a second.").by(() =>
    mortal({ at: 50, back: 500 }),
  ),
  nonconformant(
    "breaks-then-dies",
    "Creates operations that are not pending_quote, and stops at the eightieth request.",
    { blamed: ["OPER-02"] },
  ).by(() =>
    mortal({
      at: 80,
      change: (answer, { operation }) =>
        operation === "createOperation" && isSuccess(answer)
          ? withJson(answer, (body) => ({ ...body, status: "created" }))
          : answer,
    }),
  ),
  inconclusive("hangs-from-fiftieth", "From the fiftieth request on, never responds.").by(
    silentFor(({ nth }) => nth >= 50),
  ),
  nonconformant("list-hangs", "Obeys, and never sends the list.", {
    options: ["--timeout", "500ms"],
    blamed: ["HTTP-05"],
    within: 25,
    inSmoke: true,
  }).by(silentFor(({ operation }) => operation === "listBatches")),
  either([0, 1, 3], "forgets", "Obeys, and forgets everything after every thirtieth request.", {
    within: 30,
  }).by(() => {
    let offset = 0;
    return obedientBut(async (call) => {
      if (call.nth % 30 === 0) offset = call.nth;
      if (offset > 0 && call.operation === "addAcamItem" && call.nth < offset + 5)
        return call.send(answerOf(404, { message: "no such operation" }));
      call.send(await call.obedient());
    });
  }),
];

interface Death {
  /** The number of the request at which the server stops. */
  readonly at: number;
  /** Milliseconds after which it starts again. @defaultValue never */
  readonly back?: number;
  readonly again?: boolean;
  readonly change?: (answer: Answer, call: Call) => Answer;
}

/** A relay to an obedient server. It stops, and starts again on the same port. */
const mortal = async ({ at, back, again = false, change = (answer) => answer }: Death): Promise<Running> => {
  let received = 0;
  let dead = false;
  const inner = await obedientBut(async (call) => {
    received += 1;
    if (received === at || (again && received % at === 0)) return die();
    if (dead) return void call.request.socket.resetAndDestroy();
    call.send(change(await call.obedient(), call));
  });
  const innerPort = Number(new URL(inner.baseUrl).port);
  const open = new Set<Socket>();
  const door = createServer((socket) => {
    const onward = connect(innerPort, "127.0.0.1");
    open.add(socket);
    socket.pipe(onward).pipe(socket);
    const end = (): void => {
      open.delete(socket);
      socket.destroy();
      onward.destroy();
    };
    for (const one of [socket, onward]) one.on("error", end).on("close", end);
  });
  const running = await listening(door);
  const port = Number(new URL(running.baseUrl).port);
  let timer: NodeJS.Timeout | undefined;
  const die = (): void => {
    dead = true;
    door.close();
    for (const socket of open) socket.resetAndDestroy();
    if (back === undefined) return;
    timer = setTimeout(() => {
      dead = false;
      door.listen(port, "127.0.0.1");
    }, back);
  };
  return {
    baseUrl: running.baseUrl,
    close: async () => {
      clearTimeout(timer);
      await running.close();
      await inner.close();
    },
  };
};
