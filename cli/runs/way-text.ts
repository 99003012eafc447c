import { proxyText } from "../../model/network.ts";
import { plain } from "../../reports/sanitize.ts";
import { shortPath } from "../../settings/command-line.ts";
import type { Configuration } from "../../settings/configuration.ts";

/**
 * What decides where key and token go, beside flags: the configuration file, a proxy, and whether
 * the server's certificate is verified. Empty if there is nothing to say, and otherwise a line.
 */
export function wayText({ configFile, options, values }: Configuration, cwd: string): string {
  const { proxy, insecure } = options.target;
  const sentences = [
    ...(configFile === undefined ? [] : [`Reads ${shortPath(configFile, cwd)}.`]),
    ...(proxy === undefined ? [] : [`Requests go through ${proxyText(proxy)}.`]),
    ...(insecure ? [`The server's certificate is not verified (${values.insecure?.where}).`] : []),
  ];
  return sentences.length === 0 ? "" : `${plain(sentences.join(" "), longestLine)}\n`;
}

/** The most characters of the line. It has paths and an address in it. */
const longestLine = 1_000;
