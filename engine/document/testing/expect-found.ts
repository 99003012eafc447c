import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { judgedText } from "./judged.ts";
import { FrameworkDocument, lineOf, planted, pointerOf, textOf } from "./planted.ts";

const folder = new URL("frameworks/", import.meta.url);

const files = readdirSync(folder).filter((name) => !name.endsWith(".md"));

/** The names of the files with documents that web frameworks made of servers without a mistake. */
export const frameworkFiles = files.filter((name) => !name.includes(".wrong."));

/** The names of the files with documents that they made of servers with mistakes. */
export const wrongFiles = files.filter((name) => name.includes(".wrong."));

export const frameworkText = (file: string): string => readFileSync(new URL(file, folder), "utf8");

/**
 * Plants a mistake in a framework's document, and expects a finding in the words of the mistake, at
 * its line.
 */
export async function expectFound(file: string, name: string): Promise<void> {
  const mistake = planted[name] ?? expect.fail(`no mistake ${name}`);
  const { requirement, verdict = "fail", says, plant } = mistake;
  const isYaml = file.endsWith(".yaml");
  const changed = new FrameworkDocument(frameworkText(file));
  const way = plant(changed);
  const run = await judgedText(textOf(changed.document, isYaml));
  const row = run.requirements.find(({ id }) => id === requirement);
  const findings = row?.findings ?? [];
  expect(findings.map(({ document }) => document?.says).join("\n")).toMatch(says);
  const places = findings.map(({ document }) => ({
    pointer: document?.pointer,
    line: document?.line,
  }));
  expect(places).toContainEqual({
    pointer: pointerOf(way),
    line: lineOf(changed.document, way, isYaml),
  });
  expect(row?.verdict).toBe(verdict);
}
