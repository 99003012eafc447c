import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { foundIn, judgedText } from "./testing/judged.ts";
import { FrameworkDocument, lineOf, planted, pointerOf, textOf } from "./testing/planted.ts";

const folder = new URL("testing/frameworks/", import.meta.url);
const files = readdirSync(folder).filter((name) => !name.endsWith(".md"));

test("there are documents of five frameworks, and forty mistakes for each", () => {
  expect(files.length).toBeGreaterThanOrEqual(5);
  expect(Object.keys(planted).length).toBeGreaterThanOrEqual(40);
});

describe.each(files)("%s", (file) => {
  const text = readFileSync(new URL(file, folder), "utf8");
  const isYaml = file.endsWith(".yaml");

  test("has no finding", async () => {
    expect(foundIn(await judgedText(text))).toEqual({ fail: [], warn: [] });
  });

  test.each(Object.entries(planted))("%s", async (_, { requirement, verdict = "fail", says, plant }) => {
    const changed = new FrameworkDocument(text);
    const way = plant(changed);
    const run = await judgedText(textOf(changed.document, isYaml));
    const row = run.requirements.find(({ id }) => id === requirement);
    const findings = row?.findings ?? [];
    expect(findings.map(({ document }) => document?.says).join("\n")).toMatch(says);
    const places = findings.map(({ document }) => ({ pointer: document?.pointer, line: document?.line }));
    expect(places).toContainEqual({ pointer: pointerOf(way), line: lineOf(changed.document, way, isYaml) });
    expect(row?.verdict).toBe(verdict);
  });
});
