import { basename, isAbsolute, relative } from "node:path";

/** The word as a POSIX shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The path relative to a folder if it is below that folder, else as it is. */
export function shortPath(path: string, folder: string): string {
  const short = relative(folder, path);
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}

/**
 * What the user typed, quoted for the shell: `npx fxconform`, `fxconform` or `node
 * dist/cli/bin.js`.
 */
export function programName(script: string, folder: string): string {
  const name = basename(script);
  if (!/^(fxconform|bin\.[jt]s)$/.test(name)) return "fxconform";
  // npx and npm scripts start the link in node_modules/.bin, in a clone as well.
  if (/[\\/]node_modules[\\/]/.test(script)) return "npx fxconform";
  return name === "fxconform" ? name : `node ${shellWord(shortPath(script, folder))}`;
}

/** How the user started this program, as a shell reads it back. */
export const program = (): string => programName(process.argv[1] ?? "", currentFolder());

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
