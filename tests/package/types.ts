import { dirname, join } from "node:path";
import ts from "typescript";

export type Resolution = "node16" | "nodenext" | "bundler";

export interface Import {
  readonly module: string;
  readonly name: string;
  readonly isType: boolean;
}

const modes: Readonly<Record<Resolution, ts.CompilerOptions>> = {
  node16: { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

/** For each of these modules of an installed package, the names that its declarations export. */
export function exportsOf(
  installed: string,
  modules: readonly string[],
  resolution: Resolution,
): ReadonlyMap<string, readonly string[]> {
  const program = programOf(
    installed,
    modules.map((name) => `import "${name}";`).join("\n"),
    resolution,
  );
  const checker = program.getTypeChecker();
  const consumer = program.getSourceFile(program.getRootFileNames()[0] ?? "");
  const found = new Map<string, readonly string[]>();
  for (const statement of consumer?.statements ?? []) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      continue;
    const symbol = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const symbols = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
    found.set(
      statement.moduleSpecifier.text,
      symbols.map(({ name }) => name),
    );
  }
  return found;
}

/**
 * What TypeScript reports of a module with these imports, both in it and in the declarations of the
 * package.
 */
export function problemsOf(
  installed: string,
  imports: readonly Import[],
  resolution: Resolution,
): readonly string[] {
  // Two modules may export the same name.
  const lines = imports.map(({ module, name, isType }, index) => {
    const word = isType ? `type ${name}` : name;
    return `export { ${word} as export${index} } from "${module}";`;
  });
  const program = programOf(installed, lines.join("\n"), resolution);
  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => !fileName.replace(installed, "").includes("node_modules"));
  return ours
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}

/** A TypeScript program of one module, in a project that has the package installed. */
function programOf(installed: string, text: string, resolution: Resolution): ts.Program {
  const path = join(dirname(dirname(installed)), "consumer.mts");
  const options: ts.CompilerOptions = {
    ...modes[resolution],
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const consumer = ts.createSourceFile(path, text, options.target ?? ts.ScriptTarget.ES2022);
  return ts.createProgram({
    rootNames: [path],
    options,
    host: {
      ...host,
      fileExists: (name) => name === path || host.fileExists(name),
      getSourceFile: (name, ...more) =>
        name === path ? consumer : host.getSourceFile(name, ...more),
    },
  });
}
