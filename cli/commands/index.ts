import { reportNames } from "../../model/run-options.ts";
import type { CommandRow } from "./command.ts";

/** The help of a flag under its former name: it works as before, and the help does not show it. */
const formerly = "";

/** The commands. `flags.ts` has the options that each takes from the table of all options. */
export const commands: readonly CommandRow[] = [
  {
    name: "run",
    summary: "check a server and write the reports",
    load: async () => (await import("./checks.ts")).run,
  },
  {
    name: "demo",
    summary: "start the reference server and run every check against it",
    note: "A configuration file is read only where --config names it.",
    flags: { "--fault <id...>": "start the server with this fault; repeatable" },
    load: async () => (await import("./checks.ts")).demo,
  },
  {
    name: "serve",
    summary: "start the reference server and print the commands that check it",
    flags: {
      "--port <n>": "port to listen on (default: a free one)",
      "--fault <id...>": "break one rule; repeatable",
      "--variant <id...>": "differ in a legal way; repeatable",
      "--http": "plain HTTP instead of HTTPS",
      "--tls-dir <folder>":
        "keep the certificate in this folder and use it again (default: a new one)",
      "--api-key <key>": "key that it accepts (default: random)",
      "--customer-id <id>": "customer that it knows (default: random)",
      "--list [words]": formerly,
    },
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "list",
    summary: "list the requirements and the open questions, or faults and variants",
    flags: {
      "--only <ids, areas...>": "list only these requirements",
      "--deviations [words]":
        "list the faults and variants of serve and demo, all or those of an area or with these words",
      "--json": "print JSON",
    },
    load: async () => (await import("./list-explain.ts")).list,
  },
  {
    name: "doctor",
    summary: "test the way to the server step by step, without a verdict",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "replay",
    summary: "check again what failed in an earlier report",
    note: "Without a file, it reads the report in the folder where run writes. It is a run of what failed there, with the seed of the report, and writes to the folder replay beside it, where --report-dir names no other. Exit code 0: nothing fails any more.",
    words: ["[report.json]"],
    load: async () => (await import("./replay.ts")).replay,
  },
  {
    name: "judge",
    summary: "judge recordings of traffic that others sent",
    note: "Reads HAR 1.2, from browsers, proxies, test tools or run --record. Exit code 3: nothing in them is a request of the API.",
    words: ["<file.har...>"],
    load: async () => (await import("./judged-files.ts")).judge,
  },
  {
    name: "contract",
    summary: "judge your OpenAPI document",
    note: "Reads OpenAPI 3.0 or 3.1 as YAML or JSON. It needs no server. Exit code 3: the document describes none of the operations.",
    words: ["<openapi>"],
    flags: {
      "--root <folder>":
        "references may lead to files below this folder (default: that of the document)",
    },
    load: async () => (await import("./judged-files.ts")).contract,
  },
  {
    name: "diff",
    summary: "print what differs between two reports",
    note: "Exit code 1: a verdict differs, or both runs observed an answer and the answers differ.",
    words: ["<before>", "<after>"],
    flags: { "--json": "print JSON" },
    load: async () => (await import("./saved-reports.ts")).diff,
  },
  {
    name: "pin",
    summary: "write a statement from the observations of a report",
    note: "Exit code 3: there is nothing to pin.",
    words: ["<report.json>"],
    flags: {
      "--only <ids...>": "pin these open questions alone",
      "-o, --output <file>": "file to write (default: standard output)",
      "--force": "replace the file",
    },
    load: async () => (await import("./saved-reports.ts")).pin,
  },
  {
    name: "report",
    summary: "make the other formats from a report.json",
    words: ["<report.json>"],
    flags: {
      "--reports <names...>": `which of ${reportNames.join(",")} (default: all but json)`,
      "--report-dir <folder>": "where they are written (default: beside the report)",
      "--to <names...>": formerly,
    },
    load: async () => (await import("./saved-reports.ts")).report,
  },
  {
    name: "explain",
    summary: "explain requirements, open questions and interpretations",
    words: ["<ids...>"],
    flags: { "--json": "print JSON" },
    load: async () => (await import("./list-explain.ts")).explain,
  },
  {
    name: "init",
    summary: "write a short configuration file",
    flags: { "--force": "replace fxconform.config.yaml" },
    load: async () => (await import("./init.ts")).init,
  },
  {
    name: "example",
    summary: "copy an example into this folder",
    note: "first-hour is a small server with mistakes; the others are tests, pipelines and monitoring, ready to be edited. Without a name, it names all.",
    words: ["[name]"],
    load: async () => (await import("./example.ts")).example,
  },
];
