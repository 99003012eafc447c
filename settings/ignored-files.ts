import ignore, { type Ignore } from "ignore";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fileBounds, fileBytes } from "../model/files.ts";

/**
 * Whether git would add a file: it lies in a repository, and no `.gitignore` file names it. Reads
 * those files itself and never starts git, because the configuration of a repository can name
 * programs that git starts.
 */
export function isCommittable(file: string): boolean {
  const root = repositoryOf(dirname(file));
  if (root === undefined) return false;
  const names = relative(root, file).split(sep);
  // If git ignores a folder, it ignores all that is inside, so each folder of the path is tested,
  // too.
  return !names.some((_, index) =>
    isIgnored(root, names.slice(0, index + 1), index < names.length - 1),
  );
}

/** The folder of the repository that a folder belongs to. Undefined if it belongs to none. */
export function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

/**
 * Whether the rules of git ignore a path, which is given as the names from the root to it. Of the
 * files whose rules name the path, the nearest one decides.
 */
function isIgnored(root: string, names: readonly string[], isFolder: boolean): boolean {
  const sources = names.map((_, depth) => ({
    depth,
    file: join(root, ...names.slice(0, depth), ".gitignore"),
  }));
  const all = [...globalFiles(root).map((file) => ({ depth: 0, file })), ...sources];
  for (const { depth, file } of all.toReversed()) {
    const { ignored, unignored } = rulesIn(file).test(
      `${names.slice(depth).join("/")}${isFolder ? "/" : ""}`,
    );
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * The files with the ignore rules of the user and of this clone of the repository, the weaker file
 * first.
 */
function globalFiles(root: string): readonly string[] {
  return [
    join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "git", "ignore"),
    join(root, ".git", "info", "exclude"),
  ];
}

function rulesIn(file: string): Ignore {
  try {
    return ignore().add(fileBytes(file, { most: fileBounds.settings }).toString("utf8"));
  } catch {
    // The file does not exist.
    return ignore();
  }
}
