import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { plural } from "../../model/plural.ts";
import { portOf } from "../../model/network.ts";
import type { Run } from "../../model/run.ts";
import type { Target } from "../../model/target.ts";
import { painter } from "../../reports/paint.ts";
import { plain } from "../../reports/sanitize.ts";
import { colorOn } from "../output/color.ts";
import { program, shortPath } from "../../settings/command-line.ts";
import { progressView } from "../output/progress.ts";
import { withoutSecrets } from "../../engine/secrets.ts";
import { runAndReport } from "../commands/run-and-report.ts";
import type { Io } from "../output/io.ts";
import type { Modules } from "../modules.ts";
import { startLivePage, type LivePage } from "../live/live-page.ts";
import { createLiveState } from "../live/live-state.ts";
import { openInBrowser } from "./browser.ts";
import { followFiles } from "./files.ts";
import { followPort } from "./port.ts";
import { changesText, changeText, keysText } from "./screen.ts";
import { createSession } from "./session.ts";

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
  const { options, values, reportDir } = configuration;
  const secrets = new Set<string>();
  const say = (text: string): void => io.stdout(withoutSecrets(text, [...secrets]));
  const paint = painter(colorOn(io, values.color?.value));
  const progress = progressView(io);
  const clock = (): string => paint("dim", io.now().toTimeString().slice(0, 8));
  const files = values.watchFiles?.value ?? [];
  const engine = (await modules.warmEngine())();
  const consoleText = await modules.consoleText();
  const isWatching = values.watch?.value === true;
  const live = values.ui?.value === true ? await startLive() : undefined;
  let code: number = exitCodes.interrupted;
  let runs = 0;

  const session = createSession({
    options,
    part: (part, control) =>
      engine.run(part, {
        ...control,
        onProgress: progress.show,
        onSecret: (secret) => void secrets.add(secret),
      }),
    whole: async (whole, control) => {
      const isFirst = runs === 0;
      let ended: Run | undefined;
      const ownCode = await runAndReport({ ...configuration, options: whole }, command, io, modules, {
        ...control,
        start: engine.run,
        secrets,
        isBrief: !isFirst,
        // Keep an earlier report rather than one of an interrupted run.
        isDropped: (run) => run.outcome === "interrupted" && !isFirst,
        resultOf: (run) => {
          ended = run;
          const lines = consoleText(run, { color: colorOn(io, values.color?.value), width: io.columns, program });
          return { text: isFirst ? lines : lines.trimEnd().split("\n").slice(-2).join("\n"), code: exitCodeOf(run) };
        },
      });
      if (ended === undefined || ended.outcome === "interrupted") return undefined;
      runs += 1;
      code = ownCode;
      return ended;
    },
    view: {
      onStart: (part) => {
        live?.state.view.onStart?.(part);
        if (part !== undefined) say(`${clock()}  Checking ${plural(part.length, "requirement")} again.\n`);
        else if (runs > 0) say(`${clock()}  Checking everything.\n`);
      },
      onChange: (change, row) => {
        progress.end();
        say(changeText(change, row, paint));
      },
      onUpdate: (soFar) => live?.state.view.onUpdate?.(soFar),
      onEnd: (run, changes, part) => {
        live?.state.view.onEnd?.(run, changes, part);
        progress.end();
        if (part === undefined && runs > 1) say(`${changesText(changes)}.\n`);
        if (part !== undefined && run.outcome === "inconclusive") say(`${plain(run.summary, 1000)}\n`);
      },
      onRest: (rows) => {
        live?.state.view.onRest?.(rows);
        if (!isWatching) return;
        const failed = [...rows.values()].filter(({ verdict }) => verdict === "fail").length;
        const shown = files.map((path) => shortPath(path, io.cwd));
        say(keysText(failed, shown, paint));
      },
    },
  });

  const url = new URL(options.target.baseUrl);
  const onWatch = (): readonly (() => void)[] => [
    followPort(addressOf(options.target), {
      onAway: () => {
        progress.end();
        say(`\n${clock()}  ${url.host} accepts no connections: waiting for the server.\n`);
        session.pause();
      },
      onBack: () => {
        if (runs > 0) say(`${clock()}  The server is back.\n`);
        session.start(runs === 0 ? "everything" : "failed first");
        session.resume();
      },
    }),
    followFiles(files, [reportDir, `${reportDir}-partial`], (path) => {
      say(`\n${clock()}  ${shortPath(path, io.cwd)} has changed.\n`);
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
  const unfollow = [io.onInterrupt(end), ...(isWatching ? onWatch() : [])];
  if (live !== undefined) io.stderr(`The run can be followed at ${live.page.address}\n`);
  if (!isWatching) {
    io.stderr("The page ends with this command: press Ctrl-C to end it.\n");
    session.start("everything");
  }

  /** A page that follows the session. */
  async function startLive() {
    const state = createLiveState(options, () => page.changed());
    const page: LivePage = await startLivePage({
      stateOf: state.stateOf,
      masked: (text) => withoutSecrets(text, [...secrets]),
      check: (wanted) => session.start(wanted),
    });
    return { state, page };
  }

  function end(): void {
    if (session.isRunning()) code = exitCodes.interrupted;
    session.end();
  }

  async function open(): Promise<void> {
    const address = live?.page.address ?? pathToFileURL(join(reportDir, "report.html")).href;
    if (live === undefined && !configuration.reports.includes("html"))
      say("There is no HTML report: --reports leaves it out.\n");
    else if (!(await openInBrowser(address, io.env["BROWSER"]))) say(`No browser was found. Open ${address}\n`);
  }

  try {
    await session.ended;
    return code;
  } finally {
    for (const release of unfollow) release();
    live?.page.close();
    await engine.close();
  }
}

/** The host and port that connections to the target go to: those of the target or of the proxy. */
function addressOf(target: Target): { readonly host: string; readonly port: number } {
  const url = new URL(target.proxy?.url ?? target.baseUrl);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: portOf(url) };
}
