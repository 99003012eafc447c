import { either, inconclusive, nonconformant, type HostileTarget, type Running } from "../hostile-target.ts";
import { listening } from "../listening.ts";
import { obedientBut, silentFor, withBody, type Answer, type Call } from "../obedient-but.ts";
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

/** Rate limits, servers that stop, and wrong clocks. */
export const time: readonly HostileTarget[] = [
  inconclusive("429-from-the-start", "Answers everything with 429 and a Retry-After of a minute.").by(
    from(1, busy({ "retry-after": "60" })),
  ),
  inconclusive(
    "retry-after-a-date",
    "From the fifteenth request on, answers 503 with a Retry-After in the year 9999.",
  ).by(from(15, down({ "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }))),
  nonconformant(
    "html-from-fortieth",
    "From the fortieth request on, answers everything with 200 and an HTML page about maintenance.",
  ).by(
    from(
      40,
      withBody({ status: 200, headers: { "content-type": "text/html" }, body: Buffer.alloc(0) }, "<h1>Back soon</h1>"),
    ),
  ),
  inconclusive("dies", "At the fiftieth request, resets all connections and stops listening.", {
    says: /stopped responding/,
  }).by(() => mortal({ at: 50 })),
  either([0, 3], "dies-and-comes-back", "At the fiftieth request, stops listening for half a second.").by(() =>
    mortal({ at: 50, back: 500 }),
  ),
  nonconformant("list-hangs", "Obeys, and never sends the list.", {
    options: ["--timeout", "500ms"],
    blamed: ["HTTP-05"],
    within: 25,
    inSmoke: true,
  }).by(silentFor(({ operation }) => operation === "listBatches")),
];

interface Death {
  /** The number of the request at which the server stops. */
  readonly at: number;
  /** Milliseconds after which it starts again. @defaultValue never */
  readonly back?: number;
}

/** A relay to an obedient server. It stops, and starts again on the same port. */
const mortal = async ({ at, back }: Death): Promise<Running> => {
  let received = 0;
  let dead = false;
  const inner = await obedientBut(async (call) => {
    received += 1;
    if (received === at) return die();
    if (dead) return void call.request.socket.resetAndDestroy();
    call.send(await call.obedient());
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
