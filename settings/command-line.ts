import { basename, isAbsolute, relative } from "node:path";

/** A word, quoted so that a shell reads the same word: on Windows cmd.exe, elsewhere a POSIX shell. */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // The backslash of a path is no escape there, and single quotes are characters as any other.
  if (platform === "win32")
    return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A path relative to the folder if it lies below the folder, and unchanged otherwise. */
export function shortPath(path: string, folder: string): string {
  const short = relative(folder, path);
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}

/**
 * The words with which the user started the program, quoted for the shell: `npx fxconform`,
 * `fxconform` or `node dist/cli/bin.js`.
 */
export function programName(script: string, folder: string): string {
  const name = basename(script);
  // A program that embeds fxconform, or a runner of tests: the command of the package.
  if (!/^(fxconform|bin\.[jt]s)$/.test(name)) return "npx fxconform";
  // npx and npm scripts start the link in node_modules/.bin, also in a clone of the repository.
  if (/[\\/]node_modules[\\/]/.test(script)) return "npx fxconform";
  return name === "fxconform" ? name : `node ${shellWord(shortPath(script, folder))}`;
}

/** The words with which the user started this program, quoted for a shell. */
export const program = (): string => programName(process.argv[1] ?? "", process.cwd());
