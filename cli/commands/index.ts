import type { Command } from "./command.ts";
import { optionNames, reportNames, type OptionName } from "../configuration/options.ts";

/** A flag that belongs to one command alone. */
export interface OwnFlag {
  /** As commander spells it. */
  readonly flag: string;
  readonly about: string;
  readonly repeated?: true;
}

/** A command as the help shows it; its code is loaded when it is called. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  /** What the help says besides. */
  readonly note?: string;
  /** Words that it takes: `<report>`. */
  readonly words?: readonly string[];
  /** Which of the options of `run` it takes. */
  readonly options?: readonly OptionName[];
  readonly flags?: readonly OwnFlag[];
  /** What to say of flags that another command has. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  readonly load: Command;
}

/** What the demo decides: its server is the target. */
export const targetOptions: readonly OptionName[] = [
  "baseUrl",
  "apiKey",
  "apiKeyFile",
  "customerId",
  "ca",
  "insecure",
  "allowHttp",
];

const deviationsElsewhere = {
  "--fault": "Start the server by fxconform serve --fault … and ask it with the line that it prints.",
  "--variant": "Start the server by fxconform serve --variant … and ask it with the line that it prints.",
} as const;

/** Every command, in the order of the help. */
export const commands: readonly CommandRow[] = [
  {
    name: "run",
    summary: "ask a target and write the reports",
    options: optionNames,
    elsewhere: deviationsElsewhere,
    load: async (...all) => (await import("./run.ts")).run(...all),
  },
  {
    name: "demo",
    summary: "start the reference server and run everything against it",
    note: "A configuration file counts only where --config names it.",
    options: optionNames.filter((name) => !targetOptions.includes(name)),
    elsewhere: {
      ...deviationsElsewhere,
      "--base-url": "The demo asks its own server; fxconform run takes an address.",
      "--api-key": "The demo makes up its own key.",
      "--customer-id": "The demo makes up its own customer.",
    },
    load: async (...all) => (await import("./demo.ts")).demo(...all),
  },
  {
    name: "serve",
    summary: "start the reference server alone and print the command that asks it",
    flags: [
      { flag: "--port <n>", about: "port to listen on (default: a free one)" },
      { flag: "--fault <id>", about: "break one rule; repeatable", repeated: true },
      { flag: "--variant <id>", about: "differ in a legal way; repeatable", repeated: true },
      { flag: "--http", about: "plain HTTP instead of HTTPS" },
      { flag: "--api-key <key>", about: "key that it accepts (default: made up)" },
      { flag: "--customer-id <id>", about: "customer that it knows (default: made up)" },
      { flag: "--list", about: "list faults and variants and end" },
    ],
    load: async (...all) => (await import("./serve.ts")).serve(...all),
  },
  {
    name: "list",
    summary: "list the requirements and the open questions",
    flags: [
      { flag: "--only <ids, areas>", about: "these alone", repeated: true },
      { flag: "--json", about: "as JSON" },
    ],
    load: async (...all) => (await import("./list.ts")).list(...all),
  },
  {
    name: "doctor",
    summary: "look at the way to the target step by step, without a verdict",
    options: optionNames,
    load: async (...all) => (await import("./doctor.ts")).doctor(...all),
  },
  {
    name: "replay",
    summary: "ask what failed in an earlier report again",
    words: ["<report.json>"],
    options: optionNames,
    load: async (...all) => (await import("./replay.ts")).replay(...all),
  },
  {
    name: "diff",
    summary: "tell what differs between two reports",
    note: "Exit code 1 says that a verdict differs.",
    words: ["<before>", "<after>"],
    flags: [{ flag: "--json", about: "as JSON" }],
    load: async (...all) => (await import("./diff.ts")).diff(...all),
  },
  {
    name: "pin",
    summary: "turn the observations of a report into a statement",
    words: ["<report.json>"],
    flags: [
      { flag: "-o, --output <file>", about: "file to write (default: standard output)" },
      { flag: "--force", about: "replace the file" },
    ],
    load: async (...all) => (await import("./pin.ts")).pin(...all),
  },
  {
    name: "report",
    summary: "make the other formats from a report.json again",
    words: ["<report.json>"],
    flags: [
      { flag: "--to <names>", about: `which of ${reportNames.join(",")} (default: all but json)`, repeated: true },
      { flag: "--report-dir <folder>", about: "where they are written (default: beside the report)" },
    ],
    load: async (...all) => (await import("./report.ts")).report(...all),
  },
  {
    name: "merge",
    summary: "join the reports of several shards",
    words: ["<reports...>"],
    flags: [{ flag: "-o, --output <folder>", about: "where the reports are written (default: fxconform-report)" }],
    load: async (...all) => (await import("./merge.ts")).merge(...all),
  },
  {
    name: "init",
    summary: "write a configuration file that explains itself",
    load: async (...all) => (await import("./init.ts")).init(...all),
  },
];
