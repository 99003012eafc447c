import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withoutSecrets } from "../../engine/secrets.ts";
import type { WarmEngine } from "../../engine/warm-engine.ts";
import { portOf } from "../../model/network.ts";
import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import type { Target } from "../../model/target.ts";
import { painter, type Paint } from "../../reports/paint.ts";
import { plain } from "../../reports/sanitize.ts";
import { shortPath } from "../../settings/command-line.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { startLivePage } from "../live/live-page.ts";
import type { Modules } from "../modules.ts";
import { colorOn } from "../output/color.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import type { Io } from "../output/io.ts";
import { progressView, type ProgressView } from "../output/progress.ts";
import { consoleStyle } from "../runs/reporting.ts";
import { runAndReport } from "../runs/run-and-report.ts";
import { openInBrowser } from "./browser.ts";
import { followFiles } from "./files.ts";
import { createLiveState } from "./live-state.ts";
import { followPort } from "./port.ts";
import { changesText, changeText, keysText } from "./screen.ts";
import { createSession, type Session, type SessionParts, type SessionView } from "./session.ts";

/** What the parts of a stay share. */
interface Stay {
  readonly configuration: Configuration;
  readonly command: string;
  readonly io: Io;
  readonly modules: Modules;
  readonly engine: WarmEngine;
  readonly secrets: Set<string>;
  readonly progress: ProgressView;
  readonly paint: Paint;
  /** Prints a text without secrets. */
  readonly say: (text: string) => void;
  /** The same, after the time. */
  readonly log: (text: string) => void;
  /** How many full runs have ended. */
  runs: number;
  /** Exit code of the last one. */
  code: number;
}

/**
 * Runs everything, waits, and runs again: with `--watch` when the server restarts, when files change and when the user
 * presses a key; with `--ui` when the page requests it. Returns the exit code of the last full run, or 130 if one was
 * interrupted.
 */
export async function runAndStay(
  configuration: Configuration,
  command: string,
  io: Io,
  modules: Modules,
): Promise<number> {
  const { options, values } = configuration;
  const secrets = new Set<string>();
  const paint = painter(colorOn(io, values.color?.value));
  const say = (text: string): void => io.stdout(withoutSecrets(text, [...secrets]));
  const log = (text: string): void => say(`${paint("dim", io.now().toTimeString().slice(0, 8))}  ${text}\n`);
  const engine = (await modules.warmEngine())();
  const progress = progressView(io);
  const code: number = exitCodes.interrupted;
  const stay: Stay = { configuration, command, io, modules, engine, secrets, progress, paint, say, log, runs: 0, code };
  const live = values.ui?.value === true ? await startLive(stay, (wanted) => session.start(wanted)) : undefined;
  const session = createSession({ options, ...(await runnersOf(stay)), view: viewOf(stay, live?.view) });
  const end = (): void => {
    if (session.isRunning()) stay.code = exitCodes.interrupted;
    session.end();
  };
  const isWatching = values.watch?.value === true;
  const unfollow = [io.onInterrupt(end), ...(isWatching ? watchers(stay, session, end, live?.address) : [])];
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

/** A page that follows the session. */
async function startLive(stay: Stay, check: Session["start"]) {
  const state = createLiveState(stay.configuration.options, () => page.changed());
  const masked = (text: string): string => withoutSecrets(text, [...stay.secrets]);
  const page = await startLivePage({ stateOf: state.stateOf, masked, check });
  return { view: state.view, address: page.address, close: page.close };
}

/** How a session runs a part, without reports, and everything. */
async function runnersOf(stay: Stay): Promise<Pick<SessionParts, "part" | "whole">> {
  const { configuration, command, io, modules, engine, progress, secrets } = stay;
  const { consoleText } = await modules.console();
  const style = consoleStyle(configuration, io);
  return {
    part: (options, control) =>
      engine.run(options, {
        ...control,
        onProgress: progress.show,
        onSecret: (secret) => void secrets.add(secret),
      }),
    whole: async (options, control) => {
      const isFirst = stay.runs === 0;
      let ended: Run | undefined;
      const code = await runAndReport({ ...configuration, options }, command, io, modules, {
        ...control,
        start: engine.run,
        secrets,
        isBrief: !isFirst,
        // Keep an earlier report rather than one of an interrupted run.
        isDropped: (run) => run.outcome === "interrupted" && !isFirst,
        resultOf: (run) => {
          ended = run;
          const text = consoleText(run, style);
          return { text: isFirst ? text : text.trimEnd().split("\n").slice(-2).join("\n"), code: exitCodeOf(run) };
        },
      });
      if (ended === undefined || ended.outcome === "interrupted") return undefined;
      stay.runs += 1;
      stay.code = code;
      return ended;
    },
  };
}

/** Prints what happens in a session, and tells the page. */
function viewOf(stay: Stay, page: Partial<SessionView> = {}): SessionView {
  const { configuration, io, progress, paint, say, log } = stay;
  const { watch, watchFiles } = configuration.values;
  return {
    ...page,
    onStart: (part) => {
      page.onStart?.(part);
      if (part !== undefined) log(`Checking ${plural(part.length, "requirement")} again.`);
      else if (stay.runs > 0) log("Checking everything.");
    },
    onChange: (change, row) => {
      progress.end();
      say(changeText(change, row, paint));
    },
    onEnd: (run, changes, part) => {
      page.onEnd?.(run, changes, part);
      progress.end();
      if (part === undefined && stay.runs > 1) say(`${changesText(changes)}.\n`);
      if (part !== undefined && run.outcome === "inconclusive") say(`${plain(run.summary, 1000)}\n`);
    },
    onRest: (rows) => {
      page.onRest?.(rows);
      if (watch?.value !== true) return;
      const failed = [...rows.values()].filter(({ verdict }) => verdict === "fail").length;
      const files = (watchFiles?.value ?? []).map((path) => shortPath(path, io.cwd));
      say(keysText(failed, files, paint));
    },
  };
}

/** Follows server, files and keys. The functions that it gives end that. */
function watchers(stay: Stay, session: Session, end: () => void, page?: string): readonly (() => void)[] {
  const { configuration, io, progress, say, log } = stay;
  const { options, values, reportDir, reports } = configuration;
  const open = async (): Promise<void> => {
    if (page === undefined && !reports.includes("html"))
      return say("There is no HTML report: --reports leaves it out.\n");
    const address = page ?? pathToFileURL(join(reportDir, "report.html")).href;
    if (!(await openInBrowser(address, io.env["BROWSER"]))) say(`No browser was found. Open ${address}\n`);
  };
  return [
    followPort(addressOf(options.target), {
      onAway: () => {
        progress.end();
        say("\n");
        log(`${new URL(options.target.baseUrl).host} accepts no connections: waiting for the server.`);
        session.pause();
      },
      onBack: () => {
        if (stay.runs > 0) log("The server is back.");
        session.start(stay.runs === 0 ? "everything" : "failed first");
        session.resume();
      },
    }),
    followFiles(values.watchFiles?.value ?? [], [reportDir, `${reportDir}-partial`], (path) => {
      say("\n");
      log(`${shortPath(path, io.cwd)} has changed.`);
      session.start("failed first");
    }),
    io.onKey((key) => {
      if (key === "q" || key === "\u0003") return end();
      if (key === "o") return void open();
      if (key === "f") session.start("failed");
      else if (key === "a") session.start("everything");
      else if (key === "\r" || key === "\n") session.start("failed first");
    }),
  ];
}

/** The host and port that connections to the target go to: those of the target or of the proxy. */
function addressOf(target: Target): { readonly host: string; readonly port: number } {
  const url = new URL(target.proxy?.url ?? target.baseUrl);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: portOf(url) };
}
