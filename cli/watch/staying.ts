import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { redactionFor } from "../../model/evidence/redaction.ts";
import type { WarmEngine } from "../../engine/server/run.ts";
import { portOf } from "../../model/network.ts";
import { countsText } from "../../model/conclusion/comparison.ts";
import { plural } from "../../model/plural.ts";
import type { VerdictChange, Run, RequirementResult } from "../../model/run.ts";
import type { Target } from "../../model/target.ts";
import { painter, type Paint, type Colour, signs } from "../../reports/verdict-symbols.ts";
import { consoleText } from "../../reports/console.ts";
import { plain } from "../../reports/sanitize.ts";
import { shortPath } from "../../settings/command-line.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { startLivePage } from "./live-page.ts";
import { colorOn, type Io } from "../output/io.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { progressView } from "../output/progress.ts";
import { consoleStyle, runAndReport } from "../runs/run-and-report.ts";
import { followFiles, followPort } from "./followers.ts";
import { createResults, type WatchResults } from "./results.ts";
import {
  createSession,
  type WatchSession,
  type WatchSessionParts,
  type SessionView,
} from "./session.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { actualText, expectedText } from "../../reports/failures.ts";

type Stay = ReturnType<typeof stayOf>;

/**
 * Runs everything, and again when the server restarts, when a file changes, when a key is pressed,
 * or when the page asks. Returns the exit code of the last full run, or 130.
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
  const unfollow = [
    io.onInterrupt(end),
    ...(isWatching ? watchers(stay, session, end, live?.address) : []),
  ];
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
          const text = consoleText(run, style);
          return {
            text: isFirst ? text : text.trimEnd().split("\n").slice(-2).join("\n"),
            code: exitCodeOf(run),
          };
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
  const { watch, watchFiles } = configuration.values;
  return {
    onStart: (part) => {
      if (part !== undefined) log(`Checking ${plural(part.length, "requirement")} again.`);
      else if (stay.runs > 0) log("Checking everything.");
    },
    onChange: (change, row) => say(changeText(change, row, paint)),
    onEnd: (run, changes, part) => {
      if (part === undefined && stay.runs > 1) say(`${changesText(changes)}.\n`);
      if (part !== undefined && run.outcome === "inconclusive")
        say(`${plain(run.summary, 1000)}\n`);
    },
    onRest: () => {
      if (watch?.value !== true) return;
      const failed = rows().filter(({ verdict }) => verdict === "fail").length;
      const files = (watchFiles?.value ?? []).map((path) => shortPath(path, io.cwd));
      say(keysText(failed, files, paint));
    },
  };
}

/**
 * Starts to watch the server, the files and the keys. Returns the functions that end the watching.
 */
function watchers(
  stay: Stay,
  session: WatchSession,
  end: () => void,
  page?: string,
): readonly (() => void)[] {
  const { configuration, io, say, log } = stay;
  const { options, values, reportDir, reports } = configuration;
  const files = values.watchFiles?.value ?? [];
  const open = async (): Promise<void> => {
    if (page === undefined && !reports.includes("html"))
      return say("There is no HTML report: --reports leaves it out.\n");
    const address = page ?? pathToFileURL(join(reportDir, "report.html")).href;
    if (!(await openInBrowser(address, io.env["BROWSER"])))
      say(`No browser was found. Open ${address}\n`);
  };
  return [
    followPort(addressOf(options.target), {
      onAway: () => {
        say("\n");
        log(
          `${new URL(options.target.baseUrl).host} accepts no connections: waiting for the server.`,
        );
        session.pause();
      },
      onBack: () => {
        if (stay.runs > 0) log("The server is back.");
        session.start(stay.runs === 0 ? "everything" : "failed first");
        session.resume();
      },
    }),
    followFiles(files, [reportDir, `${reportDir}-partial`], {
      onReady: (count) => {
        const names = files.map((path) => shortPath(path, io.cwd)).join(", ");
        if (files.length > 0) log(`Watching ${plural(count, "file")} in ${names}.`);
      },
      onChange: (path) => {
        say("\n");
        log(`${shortPath(path, io.cwd)} has changed.`);
        session.start("failed first");
      },
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

/**
 * The host and port that are watched: those of the proxy if there is one, and else those of the
 * target.
 */
function addressOf(target: Target): { readonly host: string; readonly port: number } {
  const url = new URL(target.proxy?.url ?? target.baseUrl);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: portOf(url) };
}

/**
 * Opens an address with the program that BROWSER names, or with that of the system. Returns false
 * if there is none.
 */
async function openInBrowser(address: string, browser: string | undefined): Promise<boolean> {
  const [program = "", ...words] = browser
    ? [browser]
    : (openers[process.platform] ?? ["xdg-open"]);
  const child = spawn(program, [...words, address], { stdio: "ignore", detached: true });
  child.unref();
  return once(child, "spawn").then(
    () => true,
    () => false,
  );
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * The change of a requirement in words. Below a failure stands what was expected and what was
 * found, and below a lost verdict the reason.
 */
export function changeText(change: VerdictChange, row: RequirementResult, paint: Paint): string {
  const { sign, colour } = looks[change];
  const [finding] = row.findings;
  const label = (name: string, text: string): string =>
    `${indent}${paint("dim", name.padEnd(9))} ${plain(text, 300)}`;
  const details: string[] = [];
  if (change === "no verdict") details.push(label("reason", row.reason ?? "none was recorded"));
  else if (finding !== undefined && change !== "fixed")
    details.push(label("expected", expectedText(finding)), label("actual", actualText(finding)));
  const title = `  ${paint(colour, `${sign} ${change.padEnd(15)}`)}${row.id.padEnd(9)} ${plain(row.statement, 200)}`;
  return `${[title, ...details].join("\n")}\n`;
}

const indent = " ".repeat(19);

const looks = {
  fixed: { sign: signs.pass, colour: "green" },
  "new failure": { sign: signs.fail, colour: "red" },
  "another cause": { sign: signs.fail, colour: "red" },
  "still failing": { sign: signs.fail, colour: "red" },
  "no verdict": { sign: signs.inconclusive, colour: "yellow" },
} as const satisfies Record<VerdictChange, { readonly sign: string; readonly colour: Colour }>;

/** The numbers of changes in words: `1 still failing, 2 fixed`. */
export function changesText(changes: ReadonlyMap<string, VerdictChange>): string {
  return changes.size === 0
    ? "Nothing changed and nothing fails"
    : countsText([...changes.values()]);
}

export function keysText(failed: number, files: readonly string[], paint: Paint): string {
  const change = files.length === 0 ? "" : ` or a change in ${files.join(", ")}`;
  const keys = [
    ["f", failed === 0 ? "failed" : plural(failed, "failed requirement")],
    ["a", "all"],
    ["o", "open the report"],
    ["q", "quit"],
  ] as const;
  return `\nWaiting for a restart of the server${change}.\n  ${keys.map(([key, name]) => `${paint("blue", key)} ${name}`).join("   ")}\n`;
}
