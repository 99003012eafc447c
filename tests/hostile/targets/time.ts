import type { HostileTarget, Running } from "../hostile-target.ts";
import { listening } from "../listening.ts";
import { isSuccess, obedientBut, obedientButFor, withBody, withJson, type Answer, type Call } from "../obedient-but.ts";
import { connect, createServer, type Socket } from "node:net";

const answerOf = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  withBody(
    { status, headers: { "content-type": "application/json", ...headers }, body: Buffer.alloc(0) },
    JSON.stringify(body),
  );

const busy = (headers: Readonly<Record<string, string>> = {}): Answer =>
  answerOf(429, { message: "slow down" }, headers);
const down = (headers: Readonly<Record<string, string>> = {}): Answer => answerOf(503, { message: "down" }, headers);

/** Obeys until the nth request, and then answers so. */
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

/** Patience, death, and clocks. */
export const time: readonly HostileTarget[] = [
  {
    id: "429-for-ever",
    isLong: true,
    within: 80,
    does: "Answers 429 from the fifteenth request on, and wants 20 seconds.",
    exits: [3],
    start: from(15, busy({ "retry-after": "20" })),
  },
  {
    id: "429-from-the-start",
    does: "Answers everything with 429 and wants a minute.",
    exits: [3],
    start: from(1, busy({ "retry-after": "60" })),
  },
  {
    id: "retry-after-a-day",
    does: "Answers 429 from the fifteenth request on, and wants a day.",
    exits: [3],
    start: from(15, busy({ "retry-after": "86400" })),
  },
  {
    id: "retry-after-a-date",
    does: "Answers 503 from the fifteenth request on, with Retry-After in the year 9999.",
    exits: [3],
    start: from(15, down({ "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" })),
  },
  {
    id: "retry-after-huge",
    does: "Answers 429 from the fifteenth request on, and wants more seconds than a number holds.",
    exits: [3],
    start: from(15, busy({ "retry-after": "9".repeat(400) })),
  },
  {
    id: "retry-after-zero",
    isLong: true,
    within: 80,
    does: "Answers 429 from the fifteenth request on, to be tried again at once.",
    exits: [3],
    start: from(15, busy({ "retry-after": "0" })),
  },
  {
    id: "503-for-ever",
    blamed: ["HTTP-04"],
    also: "any",
    does: "Answers everything with 503.",
    exits: [1],
    start: from(1, down()),
  },
  {
    id: "503-from-fortieth",
    blamed: ["HTTP-04"],
    also: "any",
    does: "Answers everything with 503 from the fortieth request on.",
    exits: [1],
    within: 30,
    start: from(40, down()),
  },
  {
    id: "500-from-fortieth",
    blamed: ["HTTP-04"],
    also: "any",
    does: "Answers everything with 500 and a stack trace from the fortieth request on.",
    exits: [1],
    start: from(
      40,
      answerOf(500, { message: "TypeError\n    at handler (/srv/app.js:1:1)\n    at async Promise.all" }),
    ),
  },
  {
    id: "html-from-fortieth",
    does: "Shows a page about maintenance, with 200, from the fortieth request on.",
    exits: [1],
    start: from(
      40,
      withBody({ status: 200, headers: { "content-type": "text/html" }, body: Buffer.alloc(0) }, "<h1>Back soon</h1>"),
    ),
  },
  {
    id: "token-fails-from-tenth",
    blamed: ["HTTP-04"],
    also: ["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10"],
    does: "Answers 500 from the tenth request for a token on.",
    exits: [1],
    start: from(10, answerOf(500, { message: "no" }), tokens),
  },
  {
    id: "token-refused-from-second",
    exits: [3],
    does: "Refuses the key from the second request for a token on.",
    start: from(2, answerOf(401, { message: "who are you?" }), tokens),
  },
  {
    id: "token-hangs-from-third",
    exits: [1],
    blamed: ["HTTP-05"],
    does: "Never answers from the third request for a token on.",
    within: 30,
    start: () => {
      let counted = 0;
      return obedientBut(async (call) => {
        if (tokens(call) && ++counted >= 3) return;
        call.send(await call.obedient());
      });
    },
  },
  {
    id: "key-refused",
    does: "Refuses the key.",
    exits: [3],
    says: /--api-key/,
    start: from(1, answerOf(401, { message: "who are you?" })),
  },
  {
    id: "tokens-lapse-at-once",
    does: "Issues tokens that are dead on arrival.",
    exits: [1],
    blamed: ["AUTH-04"],
    start: () =>
      obedientBut(async (call) => {
        if (call.operation === "createToken") return call.send(await call.obedient());
        call.send(answerOf(401, { message: "expired" }));
      }),
  },
  {
    id: "tokens-lapse-after-three",
    exits: [0],
    does: "Issues tokens that are good for three requests.",
    within: 40,
    start: () => {
      const uses = new Map<string, number>();
      return obedientBut(async (call) => {
        const bearer = call.request.headers.authorization ?? "";
        const used = (uses.get(bearer) ?? 0) + 1;
        uses.set(bearer, used);
        if (call.operation !== "createToken" && used > 3) return call.send(answerOf(401, { message: "expired" }));
        call.send(await call.obedient());
      });
    },
  },
  {
    id: "dies",
    does: "Resets all connections and listens no more from the fiftieth request on.",
    exits: [3],
    says: /stopped responding/,
    start: () => mortal({ at: 50 }),
  },
  {
    id: "dies-and-comes-back",
    does: "Listens no more at the fiftieth request, and comes back half a second later.",
    exits: [0, 3],
    start: () => mortal({ at: 50, back: 500 }),
  },
  {
    id: "dies-again-and-again",
    does: "Listens no more for 200 ms at each eightieth request.",
    exits: [0, 3],
    within: 30,
    start: () => mortal({ at: 80, back: 200, again: true }),
  },
  {
    id: "breaks-then-dies",
    does: "Creates operations that are not pending_quote, and dies at the eightieth request.",
    exits: [1],
    blamed: ["OPER-02"],
    start: () =>
      mortal({
        at: 80,
        change: (answer, { operation }) =>
          operation === "createOperation" && isSuccess(answer)
            ? withJson(answer, (body) => ({ ...body, status: "created" }))
            : answer,
      }),
  },
  {
    id: "hangs-from-fiftieth",
    does: "Never answers again from the fiftieth request on.",
    exits: [3],
    start: () =>
      obedientBut(async (call) => {
        if (call.nth >= 50) return;
        call.send(await call.obedient());
      }),
  },
  {
    id: "clock-ahead",
    does: "Obeys, by a clock that is nine hours ahead.",
    exits: [0],
    start: () =>
      obedientButFor((answer) => {
        const ahead = (text: string): string => new Date(Date.parse(text) + 9 * 3_600_000).toISOString();
        const other = withBody(answer, answer.body.toString().replace(/(?<="created_at":")[^"]+/g, ahead));
        return { ...other, headers: { ...other.headers, date: new Date(Date.now() + 9 * 3_600_000).toUTCString() } };
      }),
  },
  {
    id: "list-hangs",
    options: ["--timeout", "500ms"],
    does: "Obeys, and never answers the list.",
    exits: [1],
    blamed: ["HTTP-05"],
    within: 25,
    start: () =>
      obedientBut(async (call) => {
        if (call.operation === "listBatches") return;
        call.send(await call.obedient());
      }),
  },
  {
    id: "list-slow",
    does: "Obeys, and takes 150 ms for the list.",
    exits: [0],
    within: 60,
    start: () =>
      obedientBut(async (call) => {
        const answer = await call.obedient();
        setTimeout(() => call.send(answer), call.operation === "listBatches" ? 150 : 0);
      }),
  },
  {
    id: "list-grows",
    does: "Obeys, and shows a hundred more batches each time the list is read.",
    exits: [0],
    within: 30,
    start: () => {
      let more = 0;
      return obedientButFor((answer, { operation }) => {
        if (operation !== "listBatches" || !isSuccess(answer)) return answer;
        more += 100;
        const others = Array.from({ length: more }, (_, i) => ({
          id: `other-${i}`,
          operations: [],
          operation_count: 0,
        }));
        return withJson(answer, (body) => {
          const batches = [...others, ...(body["batches"] as readonly unknown[])];
          return { batches, count: batches.length, total: batches.length };
        });
      });
    },
  },
  {
    id: "forgets",
    does: "Obeys, and forgets all that was created after every thirtieth request.",
    exits: [0, 1, 3],
    within: 30,
    start: () => {
      let offset = 0;
      return obedientBut(async (call) => {
        if (call.nth % 30 === 0) offset = call.nth;
        if (offset > 0 && call.operation === "addAcamItem" && call.nth < offset + 5)
          return call.send(answerOf(404, { message: "no such operation" }));
        call.send(await call.obedient());
      });
    },
  },
];

interface Death {
  /** The request at which it dies. */
  readonly at: number;
  /** Milliseconds after which it lives again. @defaultValue never */
  readonly back?: number;
  readonly again?: boolean;
  readonly change?: (answer: Answer, call: Call) => Answer;
}

/** A door to an obedient server, which is shut and opened again on the same port. */
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
