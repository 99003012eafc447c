import { expect, test } from "vitest";
import { frameworkFiles, frameworkText, wrongFiles } from "./testing/frameworks.ts";
import { foundIn, judgedText } from "./testing/judged.ts";

test.each(frameworkFiles)("%s has no finding", async (file) => {
  expect(foundIn(await judgedText(frameworkText(file)))).toEqual({ fail: [], warn: [] });
});

test.each(wrongFiles)(
  "%s contradicts what its server does wrong, and nothing else",
  async (file) => {
    const { requirements } = await judgedText(frameworkText(file));
    const lines = requirements
      .filter(({ verdict }) => verdict === "fail")
      .map(({ id, findings }) => {
        const says = findings.map(({ document }) => document?.says ?? "");
        return [id, ...new Set(says)].join("\n  ");
      });
    // A member under another name is one mistake.
    expect(lines.join("\n")).not.toMatch(/requires [a-z]+[A-Z]/);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
      `testing/frameworks/${file.replace(/\.\w+$/, ".golden")}`,
    );
  },
);
