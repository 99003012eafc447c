import { setTimeout as pause } from "node:timers/promises";
import { hostOf, portOf } from "../../model/network.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { exitCodes } from "../output/exit-code.ts";
import type { Io } from "../output/io.ts";
import { runAndReport } from "./run-and-report.ts";
import { connect, type Socket } from "node:net";

/** A server that could not be tested is tried once more, as it may have been starting. */
const secondTry = 1_000;

/**
 * Runs when the server accepts connections, and again when it was restarted or Enter is pressed,
 * until the user ends it. A run that is ended before it is whole writes no report. Returns the exit
 * code of the last whole run, or 130.
 */
export async function watch(
  configuration: Configuration,
  command: string,
  io: Io,
): Promise<number> {
  const over = new AbortController();
  let current: AbortController | undefined;
  let wanted: "restarted" | "again" | undefined;
  let wake = (): void => undefined;
  const want = (what: typeof wanted): void => {
    wanted = what;
    current?.abort();
    wake();
  };
  const end = (): void => {
    // Whoever asks twice does not wait for the run.
    if (over.signal.aborted) return io.exit(exitCodes.interrupted);
    over.abort();
    want(undefined);
  };
  const { target } = configuration.options;
  const release = [
    io.onInterrupt(end),
    io.onKey((key) => {
      if (key === "q" || key === "\u0003") end();
      else if (key === "\r" || key === "\n") want("again");
    }),
  ];
  const changed = (isThere: boolean): void => {
    if (!isThere)
      io.stdout(`\n${new URL(target.baseUrl).host} accepts no connections: waiting for it.\n`);
    want(isThere ? "restarted" : undefined);
  };
  void followPort(new URL(target.proxy?.url ?? target.baseUrl), changed, over.signal);
  let code: number = exitCodes.interrupted;
  let isRepeated = false;
  while (!over.signal.aborted) {
    if (wanted === undefined) await new Promise<void>((resolve) => (wake = resolve));
    if (wanted === undefined) continue;
    const what = wanted;
    wanted = undefined;
    current = new AbortController();
    const { signal } = current;
    const ended = await runAndReport(configuration, command, io, { signal, isRepeated });
    current = undefined;
    isRepeated = true;
    if (signal.aborted) continue;
    code = ended;
    if (code === exitCodes.inconclusive && what === "restarted") {
      await pause(secondTry);
      wanted ??= "again";
    } else io.stdout("\nWaiting for a restart of the server. Enter: check again, q: quit\n");
  }
  for (const one of release) one();
  return code;
}

/** The pauses after a connection that was refused, or that ended within the pause, in milliseconds. */
const pauses = { refused: 50, ended: 250 } as const;

const connectTime = 2_000;

/**
 * Watches whether the port of an address, that of the proxy if there is one, accepts TCP
 * connections. One connection stays open, which shows at once that the server has ended. Nothing is
 * ever sent. Calls the listener once when the state is known, and then whenever it changes, until
 * the signal aborts.
 */
export async function followPort(
  address: URL,
  listener: (isThere: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  let isThere: boolean | undefined;
  let socket: Socket | undefined;
  signal.addEventListener("abort", () => socket?.destroy(), { once: true });
  while (!signal.aborted) {
    socket = connect({ host: hostOf(address.href), port: portOf(address), timeout: connectTime })
      .unref()
      .resume();
    const closed = new Promise((done) => socket?.once("close", done));
    socket.on("error", () => undefined).on("timeout", () => socket?.destroy());
    await Promise.race([new Promise((done) => socket?.once("connect", done)), closed]);
    if (signal.aborted) return;
    socket.setTimeout(0);
    const isOpen = !socket.destroyed;
    if (isThere !== isOpen) {
      isThere = isOpen;
      listener(isOpen);
    }
    // A server that drops idle connections is still running. A server that has ended refuses the
    // next connection.
    const since = performance.now();
    if (isOpen) await closed;
    const least = isOpen ? pauses.ended : pauses.refused;
    if (performance.now() - since < least)
      await pause(least, undefined, { signal }).catch(() => undefined);
  }
}
