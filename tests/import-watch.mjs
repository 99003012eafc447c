/**
 * Imports modules one after the other, and prints as JSON what each of them did at once: which
 * variables or words of the command line it read, which timers it started, and what it left open.
 * The words of the command are the addresses of the modules.
 */
import timers from "node:timers";
import { syncBuiltinESMExports } from "node:module";

const addresses = process.argv.slice(2);
const done = [];

/** Notes something if our own code does it, and not that of a package. */
function note(what) {
  const caller = new Error(what).stack
    .split("\n")
    .slice(1)
    .find((line) => line.includes("file:") && !line.includes(import.meta.url));
  if (caller?.includes("/dist/") === true && !caller.includes("/node_modules/"))
    done.push(`${what} ${caller.trim()}`);
}

/** The object, in a form that notes each member that is read. */
function watched(name, object) {
  return new Proxy(object, {
    get: (target, member) => {
      note(`reads ${name}.${String(member)}`);
      return target[member];
    },
    ownKeys: (target) => {
      note(`reads the members of ${name}`);
      return Reflect.ownKeys(target);
    },
  });
}

process.env = watched("process.env", process.env);
process.argv = watched("process.argv", process.argv);
const start = { setTimeout, setInterval, setImmediate };
for (const name of Object.keys(start)) {
  timers[name] = (...words) => {
    note(`calls ${name}`);
    return start[name](...words);
  };
  globalThis[name] = timers[name];
}
syncBuiltinESMExports();

/** How many resources of each kind keep the process alive. */
function resources() {
  const kinds = process
    .getActiveResourcesInfo()
    .filter((kind) => kind !== "PipeWrap" && !kind.startsWith("FS"));
  return kinds.reduce((counts, kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1), new Map());
}

for (const address of addresses) {
  const before = resources();
  await import(address);
  // Waits a turn of the event loop, as a server that a module starts does not listen at once.
  await new Promise((resolve) => start.setImmediate(resolve));
  for (const [kind, count] of resources())
    if (count > (before.get(kind) ?? 0)) done.push(`leaves open ${kind} ${address}`);
}
process.stdout.write(JSON.stringify(done), () => process.exit());
