import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

interface PortListener {
  readonly onAway: () => void;
  readonly onBack: () => void;
}

interface Port {
  readonly host: string;
  readonly port: number;
}

/**
 * The pauses between two connections, in milliseconds: if the port accepts connections, if it does
 * not, and after a short-lived connection.
 */
const pauses = { there: 2_000, away: 50, short: 250 } as const;

const connectTime = 2_000;

/**
 * Watches whether a port accepts TCP connections. One connection stays open, which shows at once
 * that the server has ended. Nothing is ever sent. Calls the listener once when the state is known,
 * and then whenever it changes. Returns a function that ends the watching.
 */
export function followPort(port: Port, listener: PortListener): () => void {
  const over = new AbortController();
  // The only error is that a pause was interrupted because the watching ends.
  void follow(port, listener, over.signal).catch(() => undefined);
  return () => over.abort();
}

async function follow(port: Port, listener: PortListener, signal: AbortSignal): Promise<void> {
  let isThere: boolean | undefined;
  let held: Socket | undefined;
  // The open connections. One listener on the signal closes them, because a listener for each
  // connection would stay on the signal after the connection has ended.
  const open = new Set<Socket>();
  signal.addEventListener("abort", () => open.forEach((socket) => socket.destroy()), {
    once: true,
  });
  for (;;) {
    const socket = await connected(port, open);
    if (signal.aborted) return;
    held?.destroy();
    held = socket;
    if (isThere !== (socket !== undefined)) {
      isThere = socket !== undefined;
      if (isThere) listener.onBack();
      else listener.onAway();
    }
    const since = performance.now();
    if (socket === undefined) await pause(pauses.away, undefined, { signal });
    else await closedWithin(socket, pauses.there);
    // A server that drops idle connections is still running. A server that has ended refuses the
    // next connection.
    if (socket?.destroyed === true && performance.now() - since < pauses.short)
      await pause(pauses.short, undefined, { signal });
  }
}

/**
 * Opens a connection, which is in `open` until it is closed. Returns undefined if the port does not
 * accept it in time.
 */
async function connected(port: Port, open: Set<Socket>): Promise<Socket | undefined> {
  const socket = connect({ ...port, timeout: connectTime })
    .unref()
    .resume();
  open.add(socket);
  socket
    .on("error", () => undefined)
    .on("timeout", () => socket.destroy())
    .on("close", () => open.delete(socket));
  await Promise.race([new Promise((done) => socket.once("connect", done)), closed(socket)]);
  socket.setTimeout(0);
  return socket.destroyed ? undefined : socket;
}

function closed(socket: Socket): Promise<unknown> {
  return new Promise((done) => socket.once("close", done));
}

/** Resolves when the socket is closed, or after `time` milliseconds. */
function closedWithin(socket: Socket, time: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, time);
    socket.once("close", () => {
      clearTimeout(timer);
      done();
    });
  });
}
