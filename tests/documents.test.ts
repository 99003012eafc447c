import { pageOf } from "../reports/page.ts";
import { existsSync, readdirSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { sectionsOf } from "../reports/html/sections.ts";
import { runs } from "../reports/testing/runs.ts";
import { renderers } from "../reports/index.ts";
import { isRequirementId } from "../spec/catalogue.ts";
import { isInterpretationId } from "../spec/interpretations.ts";
import { isQuestionId } from "../spec/questions.ts";
import { root } from "./execution.ts";

const inDocs = (await readdir(join(root, "docs"))).map((name) => join("docs", name));
const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", ...inDocs].filter(
  (path) => path.endsWith(".md"),
);

const { scripts, version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
  scripts: object;
  version: string;
};

describe.each(pages)("%s", async (page) => {
  const text = await readFile(join(root, page), "utf8");
  const found = (pattern: RegExp) => [
    ...new Set([...text.matchAll(pattern)].map(([, first = ""]) => first)),
  ];

  test("links to what exists", () => {
    const links = found(/\]\((?!https?:|#)([^)#\s]+)/g);
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test("names scripts of package.json", () => {
    expect(
      found(/npm run (?:--silent )?([a-z]+)/g).filter((name) => !Object.hasOwn(scripts, name)),
    ).toEqual([]);
  });

  test("names requirements, questions and interpretations that exist", () => {
    const ids = found(/\b((?:AUTH|CPTY|OPER|ACAM|BATCH|HTTP|OPEN|INT)-\d+)\b/g);
    const exists = [isRequirementId, isQuestionId, isInterpretationId];
    expect(ids.filter((id) => !exists.some((is) => is(id)))).toEqual([]);
  });
});

test("pages and templates name this version of the package", async () => {
  const files = ["docs", "templates"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(root, folder, name),
    ),
  );
  const texts = files
    .filter((path) => /\.(md|ya?ml)$|Jenkinsfile$/.test(path))
    .map((path) => readFile(path, "utf8"));
  const named = (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(/fxconform[-:@]v?(\d+\.\d+\.\d+)/g)].map(([, found]) => found),
  );
  expect(new Set(named)).toEqual(new Set([version]));
});

test("docs/README.md leads to every page", async () => {
  const text = await readFile(join(root, "docs/README.md"), "utf8");
  const names = inDocs
    .map((path) => basename(path))
    .filter((name) => name.endsWith(".md") && name !== "README.md");
  expect(names.filter((name) => !text.includes(`](${name})`))).toEqual([]);
});

test("docs/report.md names the file of every report", async () => {
  const text = await readFile(join(root, "docs/report.md"), "utf8");
  const files = Object.values(renderers).map(({ file }) => file);
  expect(files.filter((file) => !text.includes(`| \`${file}\``))).toEqual([]);
});

test("docs/report.md lists the sections of report.html in their order", async () => {
  const text = await readFile(join(root, "docs/report.md"), "utf8");
  const listed = [...text.matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map(([, name]) => name);
  const sections = sectionsOf(pageOf(runs.nonconformant));
  expect(listed).toEqual(sections.map(({ name }) => name));
});
