import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commandLine } from "./command-line.mjs";
import { runtimePackages } from "./runtime-packages.mjs";

const usage = `
Usage: npm run --silent sbom

Prints the CycloneDX bill of materials of the installed runtime dependencies.
`;
commandLine(usage, (args) => parseArgs({ args }));

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shipped = new Set(runtimePackages(root).map(({ id }) => id));
// `npm sbom --omit dev` leaves out packages that a dev dependency needs too, such as vitest. So list all, then filter.
const whole = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx"], { cwd: root, maxBuffer: 2 ** 28 });
const bill = JSON.parse(whole.toString());

const top = bill.metadata.component["bom-ref"];
bill.metadata.component.name = top.slice(0, top.lastIndexOf("@"));
bill.components = bill.components.filter(isShipped);
const kept = new Set([top, ...bill.components.map((component) => component["bom-ref"])]);
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
console.log(JSON.stringify(bill, null, 2));

function isShipped({ name, version }) {
  return shipped.has(`${name}@${version}`);
}
