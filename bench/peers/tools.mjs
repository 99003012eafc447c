// The other tools: versions, how each is installed, run and read. None of them is a dependency of the project.
import { readFileSync } from "node:fs";
import { fxconform } from "./tools/fxconform.mjs";
import { portman } from "./tools/portman.mjs";
import { schemathesis } from "./tools/schemathesis.mjs";
import { specmatic } from "./tools/specmatic.mjs";

const own = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/**
 * One row for each tool. `install`: exact packages of npm or PyPI, and whether it needs Java.
 * `limit`: seconds that a run may take. `prepare` runs once, `command` returns what to run for a server, and `read`
 * returns the failures and warnings of its report.
 */
export const tools = [
  { id: "fxconform", name: "fxconform", version: own.version, install: {}, limit: 90, ...fxconform },
  {
    id: "portman",
    name: "Portman with Newman",
    version: "1.33.0, 6.2.2",
    // Portman needs tslib, but does not declare it.
    install: { npm: ["@apideck/portman@1.33.0", "newman@6.2.2", "tslib@2.8.1"] },
    limit: 90,
    ...portman,
  },
  {
    id: "schemathesis",
    name: "Schemathesis",
    version: "4.32.5",
    install: { pip: ["schemathesis==4.32.5"] },
    limit: 90,
    ...schemathesis,
  },
  {
    id: "specmatic",
    name: "Specmatic",
    version: "2.55.1",
    install: { npm: ["specmatic@2.55.1"], java: true },
    limit: 90,
    ...specmatic,
  },
];
