import { requirementOf } from "../../spec/catalogue.ts";
import { isLoopback } from "../../model/target.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Command } from "./command.ts";
import { UsageError, type Problem } from "../configuration/problem.ts";
import { proxyOptions, trafficConfigurationOf } from "../configuration/traffic.ts";
import { clientLine } from "../output/client-line.ts";
import { program, shellWord } from "../output/command-line.ts";
import { untilInterrupted } from "../output/interruption.ts";
import { isSilent } from "../output/silence.ts";
import { reportTraffic } from "./report-traffic.ts";

/** A reverse proxy that judges what passes through, until it is interrupted. */
export const proxy: Command = async (invocation, io, modules) => {
  const again = `${program} run --base-url ${shellWord(String(invocation.flags["baseUrl"] ?? "…"))}`;
  const configuration = await trafficConfigurationOf(invocation, io, proxyOptions, again);
  const { traffic, baseUrl, values, options } = configuration;
  const problem = targetProblem(baseUrl, options.target.allowHttp);
  if (baseUrl === undefined || problem !== undefined) throw new UsageError([problem ?? noTarget]);
  const say = isSilent(values) ? (): void => undefined : io.stdout;
  return reportTraffic(configuration, "proxy", io, modules, async ({ notes, write }) => {
    const startWatching = await modules.startWatching();
    const watching = await started(values.listen?.where ?? "--listen", () =>
      startWatching(traffic, {
        target: { ...options.target, baseUrl },
        listen: values.listen?.value ?? { host: "127.0.0.1", port: 0 },
        onFinding: ({ requirement, message, expected, actual }) =>
          say(
            `${requirement} ${requirementOf(requirement).level}  ${plain(`${message} expected: ${expected}; actual: ${actual}`, 400)}\n`,
          ),
        onClientFinding: (finding) => say(clientLine(finding)),
      }),
    );
    notes.stderr(`Listening at ${watching.baseUrl} for ${baseUrl}. Press Ctrl-C to stop it and write the reports.\n`);
    const every = values.reportEvery?.value;
    const timer = every === undefined ? undefined : setInterval(() => void watching.judged().then(write), every);
    try {
      await untilInterrupted(io);
      return await watching.judged();
    } finally {
      clearInterval(timer);
      await watching.close();
    }
  });
};

const noTarget: Problem = {
  where: "--base-url",
  what: "is missing: it names the server that requests are passed on to",
  advice: `Write ${program} proxy --base-url https://host/base.`,
};

const targetProblem = (baseUrl: string | undefined, allowHttp: boolean): Problem | undefined => {
  if (baseUrl === undefined) return noTarget;
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== "http:" || isLoopback(hostname) || allowHttp) return undefined;
  return {
    where: "--base-url",
    what: "would send keys and tokens unencrypted",
    found: baseUrl,
    advice: "Use https://, or add --allow-http if that is intended.",
  };
};

async function started<T>(where: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^(EADDR|EACCES|ENOTFOUND|EAI_)/.test(code)) throw error;
    throw new UsageError([{ where, what: `names an address that cannot be listened at (${code})` }]);
  }
}
