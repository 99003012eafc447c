import { connect, type Socket } from "node:net";

/** What is called when a port stops and starts accepting connections. */
export interface PortListener {
  readonly onAway: () => void;
  readonly onBack: () => void;
}

/** Milliseconds between two connections: if the port accepts them, if it does not, and after a short-lived one. */
const pauses = { there: 2_000, away: 50, short: 250 } as const;

/** Milliseconds that a connection may take. */
const connectTime = 2_000;

/**
 * Watches whether a port accepts TCP connections. Keeps one connection open, so that it sees the end of a server at
 * once, and never sends anything. First calls the listener when the state is known. Returns a function that ends the
 * watching.
 */
export function followPort(port: { readonly host: string; readonly port: number }, listener: PortListener): () => void {
  let isThere: boolean | undefined;
  let held: Socket | undefined;
  let attempt: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const later = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(probe, ms);
  };

  const away = (): void => {
    held?.destroy();
    held = undefined;
    if (isThere !== false) {
      isThere = false;
      listener.onAway();
    }
    if (!isClosed) later(pauses.away);
  };

  const accepted = (socket: Socket): void => {
    const since = performance.now();
    const before = held;
    held = socket;
    before?.destroy();
    socket.once("close", () => {
      if (isClosed || held !== socket) return;
      held = undefined;
      // A server that drops idle connections is still running; one that has ended refuses the next connection.
      later(performance.now() - since < pauses.short ? pauses.short : 0);
    });
    if (isThere !== true) {
      isThere = true;
      listener.onBack();
    }
    if (!isClosed) later(pauses.there);
  };

  function probe(): void {
    const socket = connect(port);
    attempt = socket;
    socket.unref();
    socket.resume();
    const slow = setTimeout(() => socket.destroy(), connectTime);
    let isConnected = false;
    socket.on("error", () => undefined);
    socket.once("connect", () => {
      clearTimeout(slow);
      isConnected = true;
      if (isClosed) socket.destroy();
      else accepted(socket);
    });
    socket.once("close", () => {
      clearTimeout(slow);
      if (!isConnected && !isClosed) away();
    });
  }

  probe();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    attempt?.destroy();
    held?.destroy();
  };
}
