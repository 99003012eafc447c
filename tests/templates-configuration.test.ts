import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const templates = readdirSync(join(root, "templates"), { recursive: true, encoding: "utf8" })
  .map((name) => join("templates", name))
  .filter((name) => /\.(ya?ml|service)$|Jenkinsfile$/.test(name));

/** A call of a command that reads a configuration file, up to the end of its line. */
const calls = /(?:\bfxconform|bin\.js"?) (?:run|merge|replay|judge|contract)\b.*/g;

test.each(["action.yml", ...templates])(
  "%s reads no configuration file but one that an input names",
  (name) => {
    const text = readFileSync(join(root, name), "utf8");
    for (const [call] of text.matchAll(calls)) {
      if (/"\$@"|"\$\{config\[@\]\}"/.test(call)) {
        expect(text).toMatch(/\[ -n "\$CONFIG" \]/);
        expect(text).toContain("--no-config");
      } else expect(call).toContain(" --no-config");
    }
  },
);

test("there are calls to look at", () => {
  const texts = ["action.yml", ...templates].map((name) => readFileSync(join(root, name), "utf8"));
  expect(texts.filter((text) => text.match(calls) !== null).length).toBeGreaterThanOrEqual(7);
});
