import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The text of a file in a folder. Throws if there is none. */
export const readText = (folder, name) => readFileSync(join(folder, name), "utf8");

/** The value of a JSON file in a folder. Throws if there is none. */
export const readJson = (folder, name) => JSON.parse(readText(folder, name));

/** The test cases of a JUnit report. Throws if its closing tag is missing, because then the tool did not finish. */
export const testcasesIn = (xml) => {
  if (!/<\/testsuite>\s*$/.test(xml)) throw new Error("the report is not complete");
  return [...xml.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, attributes, inside = ""]) => ({
    name: decoded(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? ""),
    failed: /<(failure|error)\b/.test(inside),
  }));
};

const decoded = (text) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
