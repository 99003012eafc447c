import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const modules = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("testing"),
);

test.each(modules)("%s can be loaded by itself", async (name) => {
  await expect(import(pathToFileURL(join(folder, name)).href)).resolves.toBeDefined();
});
