import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import type { HostileTarget } from "./hostile-target.ts";
import { hostileFamilies } from "./targets/index.ts";

const script = new URL("../../scripts/documents/markdown.mjs", import.meta.url).href;
const { table, withPart } = (await import(script)) as {
  withPart: (page: string, name: string, part: string) => string;
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string;
};

/** The page that lists the hostile targets. */
export const pagePath = fileURLToPath(new URL("../../docs/sensitivity.md", import.meta.url));

/** The page with all hostile targets, by family and by the exit code that is right for them. */
export async function pageWithTargets(): Promise<string> {
  const rows = Object.entries(hostileFamilies).flatMap(([family, targets]) => {
    const codes = [...new Set(targets.map(exitsOf))].toSorted();
    return codes.map((exits) => [
      family,
      exits,
      targets
        .filter((one) => exitsOf(one) === exits)
        .map(textOf)
        .join(", "),
    ]);
  });
  const part = [
    "<!-- prettier-ignore-start -->",
    table(["what is wrong", "exit", "servers"], rows),
    "<!-- prettier-ignore-end -->",
  ].join("\n\n");
  const page = await readFile(pagePath, "utf8");
  return format(withPart(page, "hostile", part), { parser: "markdown", printWidth: 120 });
}

const exitsOf = ({ exits }: HostileTarget): string => exits.toSorted((a, b) => a - b).join(" or ");

const textOf = ({ id, blamed = [] }: HostileTarget): string =>
  blamed.length === 0 ? id : `${id} (${blamed.join(" ")})`;
