// Packs the package as it is built, installs it for each version of Node, and runs `demo`,
// `contract` and `judge` there. Ends with 1 if a command has another exit code
// than it should, or if npm cannot install a version. Without arguments, it takes the oldest
// version of each range in the field `engines`; with arguments such as 22 24, the newest version of
// each. --archive names a package that is packed already.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const { values, positionals: named } = parseArgs({
  options: { archive: { type: "string" } },
  allowPositionals: true,
});
const execute = promisify(execFile);
/** How long a command may take, in milliseconds: it may run beside much else. */
const limit = 600_000;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const scratch = await mkdtemp(join(tmpdir(), "fxconform-node-"));
const failures = [];
try {
  const archive = values.archive ? resolve(values.archive) : await packed();
  const oldest = engines.node.replaceAll("^", "").split(" || ");
  const versions = named.length > 0 ? named : oldest;
  const tries = versions.map((version) =>
    tried(version, archive).then(
      (printed) => console.log(`Node ${printed}: demo, contract and judge are right`),
      (error) => failures.push(`Node ${version}: ${error.message}`),
    ),
  );
  await Promise.all(tries);
} catch (error) {
  failures.push(error.message);
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Makes the archive that `npm publish` would send, from what is built. Resolves to its path. */
async function packed() {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch];
  const { stdout } = await execute("npm", words, { cwd: root });
  return join(scratch, JSON.parse(stdout)[0].filename);
}

/**
 * Installs this version of Node and the package, and runs the commands. Resolves to the version
 * that Node reports.
 */
async function tried(version, archive) {
  const folder = join(scratch, version);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const env = {
    ...process.env,
    PATH: [join(folder, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    FXCONFORM_RUNS: "2",
  };
  const command = (code, ...words) => ended(words, { cwd: folder, env, code });
  const install = ["npm", "install", "--save-exact", "--no-audit", "--no-fund", "--prefer-offline"];
  await command(0, ...install, `node@${version}`);
  const { stdout } = await command(0, "node", "--version");
  // From here on, npm runs in the Node that was just installed.
  await command(0, ...install, archive);
  await command(0, "fxconform", "demo");
  const contract = join("node_modules", "fxconform", "dist", "spec", "openapi.yaml");
  await command(0, "fxconform", "contract", contract);
  const faulty = ["--fault", "operation-status-created", "--only", "OPER-02"];
  await command(1, "fxconform", "demo", ...faulty, "--record", "traffic.har");
  await command(1, "fxconform", "judge", "traffic.har");
  return stdout.trim();
}

/**
 * Runs a command, and resolves to what it printed. Throws unless the command ends with the exit
 * code `code` within the limit.
 */
async function ended([program, ...words], { cwd, env, code }) {
  const settings = { cwd, env, timeout: limit, killSignal: "SIGKILL", maxBuffer: 2 ** 26 };
  const result = await execute(program, words, settings).then(
    (printed) => ({ code: 0, ...printed }),
    (failure) => failure,
  );
  if (result.code === code) return result;
  const how = result.killed
    ? `did not end within ${limit / 1000} s`
    : `ended with ${result.code} instead of ${code}`;
  throw new Error(`${[program, ...words].join(" ")} ${how}\n${result.stdout}${result.stderr}`);
}
