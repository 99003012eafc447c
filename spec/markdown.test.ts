import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { proseOf } from "./markdown.ts";

const pages = ["interpretations", "questions", "sections"].flatMap((name) => [
  `${name}.md`,
  `${name}.ts`,
]);
const files = new Map(
  pages.map((file) => [file, readFileSync(new URL(file, import.meta.url), "utf8")]),
);

/** The mistake of the pages after one change in one of them. Lines are counted in the file. */
function mistakeAfter(file: string, from: string, to: string): string {
  const text = files.get(file) ?? "";
  expect(text).toContain(from);
  try {
    proseOf((name) => (name === file ? text.replace(from, to) : (files.get(name) ?? "")));
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

test("reads all pages, and joins the lines of a paragraph", () => {
  const { interpretations, questions, sections } = proseOf((file) => files.get(file) ?? "");
  expect(interpretations["INT-22"]).toEqual({
    source: "Endpoints, 4",
    title: "The texts of an ACAM success",
    level: "MUST",
    reading:
      'The message is exactly "ACAM item added successfully" and the status is exactly "success", letter by letter.',
    neverBlamed: "Additional members.",
    why: "The specification quotes both texts for the success of this endpoint.",
  });
  expect(interpretations["INT-46"].questions).toEqual(["OPEN-24"]);
  expect(interpretations["INT-55"].reading).toContain(String.raw`\ud800`);
  expect(questions["OPEN-20"]).toEqual({
    source: "Authentication",
    question: "Does the token endpoint issue the same token again?",
    observed: "same or new",
    shows: "sequence",
  });
  expect(sections["Versioning"].reason).toMatch(/^Production/);
});

test.each([
  [
    "interpretations.md",
    "## INT-02: ",
    "## INT-99: ",
    "INT-99: spec/interpretations.ts does not list it",
  ],
  ["sections.md", "## Versioning", "Versioning", "Versioning has no text"],
  ["interpretations.md", "## INT-02: ", "## INT-01: ", "has two texts"],
  ["interpretations.md", "## INT-02: JSON in UTF-8", "## INT-02", "a title is missing"],
  ["interpretations.md", "INT-13 and", "INT-77 and", "there is no INT-77"],
  ["interpretations.md", "_Introduction; MUST_", "_Intro; MUST_", "“Intro” is not known here"],
  ["interpretations.md", "_Introduction; MUST_", "_Introduction; MAY_", "“MAY” is not known"],
  ["interpretations.md", "MUST; OPEN-26_", "MUST; OPEN-62_", "there is no OPEN-62"],
  ["interpretations.md", "**Why:** The", "The", "the labels are “Never blamed”"],
  ["interpretations.md", "A body is exactly", "### More\n\nA body is exactly", "“#” is Markdown"],
  ["interpretations.md", "A body is exactly", "- A body is exactly", "“-” is Markdown"],
  ["interpretations.md", "A body is exactly", "A [body](INT-03) is exactly", "“[” is Markdown"],
  ["interpretations.md", "A body is exactly", "A `body` is exactly", "“`” is Markdown"],
  ["questions.md", "same or new\n", "\n", "a text is missing"],
  ["sections.md", "## Versioning", "## Versions", "Versions: spec/sections.ts does not list it"],
] as const)("%s with %j as %j", (file, from, to, wanted) => {
  const mistake = mistakeAfter(file, from, to);
  expect(mistake).toContain(wanted);
  expect(mistake).toMatch(/^spec\/(interpretations|questions|sections)\.(md|ts):\d+: /);
});

test("reads a page with the line ends of Windows", () => {
  const read = (file: string): string => files.get(file) ?? "";
  expect(proseOf((file) => read(file).replaceAll("\n", "\r\n"))).toEqual(proseOf(read));
});
