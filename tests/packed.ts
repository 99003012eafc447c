import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./execution.ts";

const execute = promisify(execFile);

interface Pack {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Packs the package and unpacks it in `node_modules/fxconform` of a folder, as an installation does.
 * Returns the archive and the paths of its files. Needs tar.
 */
export async function installPacked(folder: string) {
  const quiet = ["--json", "--ignore-scripts", "--loglevel", "error"];
  const words = ["pack", ...quiet, "--pack-destination", folder];
  const { stdout } = await execute("npm", words, { cwd: root });
  const [pack] = JSON.parse(stdout) as [Pack];
  const archive = join(folder, pack.filename);
  const installed = join(folder, "node_modules", "fxconform");
  await mkdir(installed, { recursive: true });
  await execute("tar", ["-xf", archive, "--strip-components", "1", "-C", installed]);
  await symlink(join(root, "node_modules"), join(installed, "node_modules"));
  return { archive, installed, packed: pack.files.map(({ path }) => path) };
}
