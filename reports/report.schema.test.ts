import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { isObject, memberOf, type Json } from "../spec/json.ts";
import schema from "./report.schema.json" with { type: "json" };

const whole = schema as unknown as Json;

/** The schema that stands at the end of its references. */
function resolved(part: Json | undefined): Json | undefined {
  const reference = memberOf(part, "$ref");
  if (typeof reference !== "string") return part;
  const steps = reference.replace("#/", "").split("/");
  return resolved(steps.reduce<Json | undefined>((at, step) => memberOf(at, step), whole));
}

/** The members of a type, at any depth, that its schema does not have. */
function lackingIn(
  type: ts.Type,
  part: Json | undefined,
  path: string,
  checker: ts.TypeChecker,
): readonly string[] {
  const own = resolved(part);
  if (type.isUnion()) return type.types.flatMap((one) => lackingIn(one, own, path, checker));
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const items = memberOf(own, "items");
    return checker
      .getTypeArguments(type as ts.TypeReference)
      .flatMap((one) => (isObject(items) ? lackingIn(one, items, `${path}[]`, checker) : []));
  }
  if ((type.flags & ts.TypeFlags.Object) === 0) return [];
  const members = memberOf(own, "properties");
  return type.getProperties().flatMap((member) => {
    const at = `${path}.${member.name}`;
    const known = memberOf(members, member.name);
    if (known === undefined) return isObject(memberOf(own, "additionalProperties")) ? [] : [at];
    return lackingIn(checker.getTypeOfSymbol(member), known, at, checker);
  });
}

test("the schema of report.json has every member of a run", () => {
  const file = join(import.meta.dirname, "../model/run.ts");
  const options = { strict: true, module: ts.ModuleKind.NodeNext, skipLibCheck: true } as const;
  const program = ts.createProgram([file], {
    ...options,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const [run] = (source?.statements ?? []).filter(
    (one) => ts.isInterfaceDeclaration(one) && one.name.text === "Run",
  );
  if (run === undefined) throw new Error("model/run.ts has no interface Run");
  const type = checker.getTypeAtLocation(run);
  expect(lackingIn(type, whole, "run", checker)).toEqual([]);
  // A member that is missing is found, at any depth.
  const { mistake: _, ...others } = schema.$defs.finding.properties;
  const finding = { ...schema.$defs.finding, properties: others } as unknown as Json;
  const findingType = (source?.statements ?? []).find(
    (one) => ts.isInterfaceDeclaration(one) && one.name.text === "Finding",
  );
  if (findingType === undefined) throw new Error("model/run.ts has no interface Finding");
  expect(lackingIn(checker.getTypeAtLocation(findingType), finding, "finding", checker)).toEqual([
    "finding.mistake",
  ]);
});
