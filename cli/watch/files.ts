import { relative, sep } from "node:path";
import { watch } from "chokidar";

/** Milliseconds without a change before a run starts, because a build writes many files. */
const rest = 150;

/**
 * Calls `onChange` with one of the paths when files in `paths` were changed, added or removed. Ignores `ignored`,
 * node_modules and .git. Returns a function that ends the watching.
 */
export function followFiles(
  paths: readonly string[],
  ignored: readonly string[],
  onChange: (path: string) => void,
): () => void {
  const skipped = (path: string): boolean =>
    ignored.some((folder) => isIn(path, folder)) ||
    paths.every((root) => !isIn(path, root) || /(^|[\\/])(node_modules|\.git)([\\/]|$)/.test(relative(root, path)));
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch([...paths], { ignoreInitial: true, ignored: skipped });
  watcher.on("all", (_, path) => {
    clearTimeout(timer);
    timer = setTimeout(() => onChange(path), rest);
  });
  return () => {
    clearTimeout(timer);
    void watcher.close();
  };
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
