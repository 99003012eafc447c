import { redactionFor } from "../../model/evidence/redaction.ts";
import type { WarmEngine } from "../../engine/server/run.ts";
import { hostOf, portOf } from "../../model/network.ts";
import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import type { Target } from "../../model/target.ts";
import { painter, type Paint } from "../../reports/verdict-symbols.ts";
import { consoleText } from "../../reports/console.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { startLivePage } from "./live-page.ts";
import { colorOn, type Io } from "../output/io.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { progressView } from "../output/progress.ts";
import { checkedAgain } from "../runs/checked-again.ts";
import { consoleStyle, runAndReport } from "../runs/run-and-report.ts";
import { followPort } from "./followers.ts";
import { createResults, type WatchResults } from "./results.ts";
import {
  createSession,
  type WatchSession,
  type WatchSessionParts,
  type SessionView,
} from "./session.ts";

type Stay = ReturnType<typeof stayOf>;

/**
 * Runs everything, and again when the server restarts, when a key is pressed, or when the page asks.
 * Returns the exit code of the last full run, or 130.
 */
export async function runAndStay(
  configuration: Configuration,
  command: string,
  io: Io,
): Promise<number> {
  const { options, values } = configuration;
  const engine = (await io.modules.warmEngine())();
  const stay = stayOf(configuration, command, io, engine);
  const check: WatchSession["start"] = (wanted) => session.start(wanted);
  const results = createResults(options);
  const live =
    values.ui?.value === true ? await startLivePage(results, stay.masked, check) : undefined;
  const session = createSession({
    options,
    ...runnersOf(stay),
    results,
    view: viewOf(stay, results),
  });
  const end = (): void => {
    if (session.isRunning()) stay.code = exitCodes.interrupted;
    session.end();
  };
  const isWatching = values.watch?.value === true;
  const unfollow = [io.onInterrupt(end), ...(isWatching ? watchers(stay, session, end) : [])];
  if (live !== undefined) io.stderr(`The run can be followed at ${live.address}\n`);
  if (!isWatching) {
    io.stderr("The page ends with this command: press Ctrl-C to end it.\n");
    session.start("everything");
  }
  try {
    await session.ended;
    return stay.code;
  } finally {
    for (const release of unfollow) release();
    live?.close();
    await engine.close();
  }
}

/**
 * What the parts of the command share. `say` and `log` print texts without secrets; `runs` counts
 * full runs; `code` is the exit code so far.
 */
function stayOf(configuration: Configuration, command: string, io: Io, engine: WarmEngine) {
  const redaction = redactionFor(configuration.options.target);
  const paint = painter(colorOn(io, configuration.values.color?.value));
  const masked = redaction.redact;
  const say = (text: string): void => io.stdout(masked(text));
  const log = (text: string): void =>
    say(`${paint("dim", io.now().toTimeString().slice(0, 8))}  ${text}\n`);
  const code: number = exitCodes.interrupted;
  return { configuration, command, io, engine, redaction, paint, masked, say, log, runs: 0, code };
}

function runnersOf(stay: Stay): Pick<WatchSessionParts, "part" | "whole"> {
  const { configuration, command, io, engine, redaction } = stay;
  const style = consoleStyle(configuration, io);
  return {
    part: (options, control) =>
      engine.run(options, {
        ...control,
        onProgress: progressView(io),
        redaction,
      }),
    whole: async (options, control) => {
      const isFirst = stay.runs === 0;
      let ended: Run | undefined;
      const code = await runAndReport({ ...configuration, options }, command, io, {
        ...control,
        start: engine.run,
        redaction,
        isRepeated: !isFirst,
        resultOf: (run) => {
          ended = run;
          return { text: consoleText(run, style), code: exitCodeOf(run) };
        },
      });
      if (ended === undefined || ended.outcome === "interrupted") return undefined;
      stay.runs += 1;
      stay.code = code;
      return ended;
    },
  };
}

function viewOf(stay: Stay, { rows }: WatchResults): SessionView {
  const { configuration, io, paint, say, log } = stay;
  return {
    onStart: (part) => {
      if (part !== undefined) log(`Checking ${plural(part.length, "requirement")} again.`);
      else if (stay.runs > 0) log("Checking everything.");
    },
    onEnd: (run, before) => {
      if (before !== undefined)
        say(checkedAgain(before, run, consoleStyle(configuration, io)).text);
    },
    onRest: () => {
      if (configuration.values.watch?.value !== true) return;
      say(keysText(rows().filter(({ verdict }) => verdict === "fail").length, paint));
    },
  };
}

/** Starts to watch the server and the keys. Returns the functions that end the watching. */
function watchers(stay: Stay, session: WatchSession, end: () => void): readonly (() => void)[] {
  const { configuration, io, say, log } = stay;
  const { target } = configuration.options;
  return [
    followPort(addressOf(target), {
      onAway: () => {
        say("\n");
        log(`${new URL(target.baseUrl).host} accepts no connections: waiting for the server.`);
        session.pause();
      },
      onBack: () => {
        if (stay.runs > 0) log("The server is back.");
        session.start(stay.runs === 0 ? "everything" : "failed first");
        session.resume();
      },
    }),
    io.onKey((key) => {
      if (key === "q" || key === "\u0003") return end();
      if (key === "f") session.start("failed");
      else if (key === "a") session.start("everything");
      else if (key === "\r" || key === "\n") session.start("failed first");
    }),
  ];
}

/**
 * The host and port that are watched: those of the proxy if there is one, and else those of the
 * target.
 */
function addressOf(target: Target): { readonly host: string; readonly port: number } {
  const address = target.proxy?.url ?? target.baseUrl;
  return { host: hostOf(address), port: portOf(new URL(address)) };
}

function keysText(failed: number, paint: Paint): string {
  const keys = [
    ["f", failed === 0 ? "failed" : plural(failed, "failed requirement")],
    ["a", "all"],
    ["q", "quit"],
  ] as const;
  return `\nWaiting for a restart of the server.\n  ${keys.map(([key, name]) => `${paint("blue", key)} ${name}`).join("   ")}\n`;
}
