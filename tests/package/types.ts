import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * What TypeScript reports of a module beside an installed package, in it and in the declarations of
 * the package. The module exports everything of these modules, and their values by name.
 *
 * @param folder where the package is installed in `node_modules`
 */
export function problemsOf(
  folder: string,
  values: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const lines = [...values].flatMap(([module, names], at) => [
    `export * as all${at} from "${module}";`,
    ...names.map((name, nth) => `export { ${name} as value${at}_${nth} } from "${module}";`),
  ]);
  const path = join(folder, "consumer.mts");
  writeFileSync(path, lines.join("\n"));
  const options = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    types: [],
  };
  const isOfOthers = (name: string): boolean =>
    name.replace(join(folder, "node_modules", "fxconform"), "").includes("node_modules");
  return ts
    .getPreEmitDiagnostics(ts.createProgram([path], options))
    .filter(({ file }) => file === undefined || !isOfOthers(file.fileName))
    .map(({ file, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, "\n");
      return `${file?.fileName}: ${text}`;
    });
}
