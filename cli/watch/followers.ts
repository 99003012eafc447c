import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { relative, sep } from "node:path";
import { watch } from "chokidar";

interface PortListener {
  readonly onAway: () => void;
  readonly onBack: () => void;
}

interface Port {
  readonly host: string;
  readonly port: number;
}

/** Milliseconds between two connections: if the port accepts them, if it does not, and after a short-lived one. */
const pauses = { there: 2_000, away: 50, short: 250 } as const;

const connectTime = 2_000;

/**
 * Watches whether a port accepts TCP connections. Keeps one connection open, so that it sees the end of a server at
 * once, and never sends anything. First calls the listener when the state is known. Returns a function that ends the
 * watching.
 */
export function followPort(port: Port, listener: PortListener): () => void {
  const over = new AbortController();
  // Only the end of the watching interrupts a pause.
  void follow(port, listener, over.signal).catch(() => undefined);
  return () => over.abort();
}

async function follow(port: Port, listener: PortListener, signal: AbortSignal): Promise<void> {
  let isThere: boolean | undefined;
  let held: Socket | undefined;
  for (;;) {
    const socket = await connected(port, signal);
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
    else await Promise.race([closed(socket), pause(pauses.there, undefined, { signal })]);
    // A server that drops idle connections is still running; one that has ended refuses the next connection.
    if (socket?.destroyed === true && performance.now() - since < pauses.short)
      await pause(pauses.short, undefined, { signal });
  }
}

/** A connection, which the signal ends; undefined if the port does not accept it in time. */
async function connected(port: Port, signal: AbortSignal): Promise<Socket | undefined> {
  const socket = connect({ ...port, signal, timeout: connectTime })
    .unref()
    .resume();
  socket.on("error", () => undefined).on("timeout", () => socket.destroy());
  await Promise.race([new Promise((done) => socket.once("connect", done)), closed(socket)]);
  socket.setTimeout(0);
  return socket.destroyed ? undefined : socket;
}

const closed = (socket: Socket): Promise<unknown> => new Promise((done) => socket.once("close", done));

/** Milliseconds without a change before a run starts, because a build writes many files. */
const rest = 150;

/**
 * Calls `onChange` with one of the paths when files in `paths` were changed, added or removed. Ignores `ignored`,
 * node_modules and .git. Returns a function that ends the watching.
 */
export function followFiles(paths: readonly string[], ignored: readonly string[], onChange: (path: string) => void) {
  const skipped = (path: string): boolean =>
    ignored.some((folder) => isIn(path, folder)) ||
    paths.every((root) => !isIn(path, root) || /(^|[\\/])(node_modules|\.git)([\\/]|$)/.test(relative(root, path)));
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch([...paths], { ignoreInitial: true, ignored: skipped });
  watcher.on("all", (_, path) => {
    clearTimeout(timer);
    timer = setTimeout(() => onChange(path), rest);
  });
  return () => {
    clearTimeout(timer);
    void watcher.close();
  };
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
