import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, expectTypeOf, test } from "vitest";
import type { Recorder } from "../model/evidence/recorder.ts";
import type { JudgementMessage } from "../model/evidence/messages.ts";
import type { RunDraft } from "../model/evidence/store.ts";
import type { Judgement, Violation } from "../model/judgement.ts";
import type { Finding, RequirementResult, Run } from "../model/run.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

test("a violation has three shapes: what a rule says, the finding, a member of its requirement", () => {
  // 1. The violation in a rule, which the recorder takes as it is.
  expectTypeOf<NonNullable<Judgement["violation"]>>().toEqualTypeOf<Violation>();
  expectTypeOf<Parameters<Recorder["violated"]>[2]>().toExtend<Violation>();
  // 2. The finding: in a message, in the store, in the report.
  type Sent = NonNullable<NonNullable<JudgementMessage["broken"]>["finding"]>;
  type Judged = RunDraft["judged"] extends ReadonlyMap<string, infer J> ? J : never;
  expectTypeOf<Sent>().toEqualTypeOf<Finding>();
  expectTypeOf<
    Judged extends { readonly findings: readonly (infer F)[] } ? F : never
  >().toEqualTypeOf<Finding>();
  // 3. The requirement that has the finding.
  expectTypeOf<RequirementResult["findings"][number]>().toEqualTypeOf<Finding>();
  expectTypeOf<Run["requirements"][number]>().toEqualTypeOf<RequirementResult>();
});

test("no other type has the words of a violation", () => {
  const found = ["model", "harness", "engine"].flatMap((folder) =>
    modulesIn(folder).flatMap((path) =>
      declarationsWithWords(readFileSync(join(root, path), "utf8")),
    ),
  );
  expect(found).toEqual(["Finding"]);
});

function modulesIn(folder: string): readonly string[] {
  const all = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return all
    .filter((name) => name.endsWith(".ts") && !/[.]test[.]ts$/.test(name))
    .map((name) => `${folder}/${name}`);
}

/** The interfaces that have both an expectation and a message for people. */
function declarationsWithWords(text: string): readonly string[] {
  const declarations = [...text.matchAll(/^(?:export )?interface (\w+)[^{]*\{(.*?)^\}/gms)];
  return declarations.flatMap(([, name = "", members = ""]) =>
    /readonly message\??: string/.test(members) && /readonly expected\??: string/.test(members)
      ? [name]
      : [],
  );
}
