import { spawn } from "node:child_process";

/**
 * Opens an address with the program of the system, or the one that BROWSER names. Resolves to false if there is none:
 * the caller then prints the address.
 */
export function openInBrowser(address: string, browser = process.env["BROWSER"]): Promise<boolean> {
  const [program, ...words] = browser ? [browser] : (openers[process.platform] ?? ["xdg-open"]);
  if (program === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
