import { readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * All modules of a package that are loaded when these are loaded, these included, as paths from its
 * root.
 */
export function importsOf(root: string, starts: readonly string[]): readonly string[] {
  const found = new Set(starts.map((path) => path.replace(/^\.\//, "")));
  for (const path of found) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, imported = ""] of text.matchAll(/\b(?:from|import\(?)\s*"(\.[^"]+\.[jt]s)"/g)) {
      const target = join(dirname(path), imported);
      found.add(path.endsWith(".d.ts") ? target.replace(/\.[jt]s$/, ".d.ts") : target);
    }
  }
  return [...found];
}

/**
 * The size of all files below these folders, in bytes. A folder that this platform does not need
 * may be missing.
 */
export async function sizeOf(folders: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      const files = entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
      // A package that is installed inside another one is counted where the lock file names it.
      const own = files.filter((path) => !path.slice(folder.length).includes("/node_modules/"));
      const stats = await Promise.all(own.map((path) => stat(path)));
      return stats.reduce((total, { size }) => total + size, 0);
    }),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
