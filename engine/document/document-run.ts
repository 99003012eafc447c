import { replayOf } from "../../model/evidence/findings.ts";
import { createRecorder } from "../../model/evidence/recorder.ts";
import { conclude, type Circumstances } from "../../model/conclusion/conclude.ts";
import type { OfflineOptions } from "../../model/run-options.ts";
import { beginningOf } from "../version.ts";
import { InputError } from "../../model/files.ts";
import { untestedBy } from "../../model/conclusion/outcome.ts";
import type { Finding, Run } from "../../model/run.ts";
import type { OperationName } from "../../spec/operations.ts";
import { defined } from "../../model/defined.ts";
import { groups } from "../../model/groups.ts";
import { readDocument, type ApiDocument, type DocumentRequest } from "./document.ts";
import { judgedOperations, type JudgedOperations } from "./operations.ts";
import { keyOf, lineText, referenceAt, widestLine, type Contradiction } from "./place.ts";

/**
 * Judges an OpenAPI document in a file, without a server. Throws InputError if the
 * document cannot be read.
 */
export async function judgeDocument(
  options: OfflineOptions,
  request: DocumentRequest,
): Promise<Run> {
  const started = Date.now();
  return documentRun(options, readDocument(request), started);
}

/**
 * Judges a document that was already read. Throws InputError if a reference in it leads nowhere, or
 * if its schemas are too many or contain themselves.
 */
export async function documentRun(
  options: OfflineOptions,
  document: ApiDocument,
  started: number,
): Promise<Run> {
  const { name } = document;
  const judged = await judgedOperations(document).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(name, "has a schema that contains itself in allOf, anyOf or oneOf");
  });
  const recorder = createRecorder();
  const contradicted = new Set<string>();
  const notes = new Map<string, Set<string>>();
  const strategies = strategiesIn(judged);
  for (const { operation, reading } of judged.readings) {
    if (reading.kind === "held") recorder.holds([reading.requirement]);
    else if (reading.kind === "note")
      notes.set(reading.text, (notes.get(reading.text) ?? new Set()).add(reading.where));
    else {
      const { requirement, at, actual, expected, isLess } = reading;
      if (!isLess) contradicted.add(requirement);
      const key = JSON.stringify([requirement, operation, keyOf(at), actual, expected]);
      const replay = replayOf(options.replayCommand, requirement);
      const finding = findingOf(operation, withStrategy(reading, strategies), replay);
      recorder.found(key, requirement, finding);
    }
  }
  const nothing = judged.isEmpty ? "the document describes none of its operations." : undefined;
  const circumstances: Circumstances = {
    ...beginningOf(started),
    profile: "contract",
    target: { baseUrl: name },
    durationMs: Date.now() - started,
    wanted: options.selection,
    skippedBy: (_, asked) => (asked === 0 ? "contract" : undefined),
    isLess: (requirement) => !contradicted.has(requirement),
    end: { interrupted: false, ...defined({ untested: untestedBy(nothing, []) }) },
    warnings: [
      ...judged.notes,
      ...[...notes].map(([text, places]) => {
        const more = places.size > mostPlaces ? " …" : "";
        return `${text}, so not judged: ${[...places].slice(0, mostPlaces).join("; ")}${more}.`;
      }),
    ],
  };
  return conclude(recorder.evidence(), circumstances, options);
}

/** How many places a note names. */
const mostPlaces = 30;

/** How many members have another name than stated, by the strategy that explains their names. */
function strategiesIn({ readings }: JudgedOperations): ReadonlyMap<string, number> {
  const named = readings.flatMap(({ reading }) =>
    reading.kind === "contradiction" && reading.naming !== undefined
      ? [{ naming: reading.naming, key: keyOf(reading.at) }]
      : [],
  );
  const all = [...groups(named, ({ naming }) => naming)];
  return new Map(all.map(([naming, own]) => [naming, new Set(own.map(({ key }) => key)).size]));
}

/** From this many members on, a strategy is one mistake, which explains all of them. */
const fewestOfStrategy = 3;

/** A contradiction in the words of the strategy that explains it. */
function withStrategy(
  reading: Contradiction,
  strategies: ReadonlyMap<string, number>,
): Contradiction & { readonly strategy?: string } {
  const { naming = "", actual } = reading;
  const count = strategies.get(naming) ?? 0;
  if (count < fewestOfStrategy) return reading;
  const strategy = `${count} members are in ${naming}`;
  const example = actual.replace(/^found /, "");
  return {
    ...reading,
    strategy,
    actual: `${strategy}, such as ${example}`,
    expected: "must be in snake_case",
  };
}

function findingOf(
  operation: OperationName,
  { at, actual, expected, isLess, isOneCause, strategy }: ReturnType<typeof withStrategy>,
  replay: string,
): Finding {
  const { source, pointer } = at;
  const { line, column } = source.positionOf(pointer);
  const frameStart = Math.max(1, line - 1);
  const more = isLess ? ", a warning" : "";
  const reference = referenceAt(at);
  const beside = reference === undefined ? "" : `, which is ${reference}`;
  const says = `${actual}, ${expected}`;
  const found = {
    expected: expected.replace(/^expected /, ""),
    actual: actual.replace(/^found /, ""),
  };
  return {
    ...found,
    message: `${lineText(at)}: ${says}${more} (#${pointer}${beside})`,
    operation,
    replay,
    curl: "",
    occurrences: 1,
    mistake: {
      kind: "document",
      of: isOneCause === true || strategy !== undefined ? "" : `${source.name}#${pointer}`,
      expected: found.expected,
      actual: strategy ?? found.actual,
    },
    document: {
      file: source.name,
      line,
      column,
      pointer: `#${pointer}`,
      says,
      frame: source.lines
        .slice(frameStart - 1, line + 1)
        .map((text, index) => cut(text, frameStart + index === line ? column : 1)),
      frameStart,
      ...(isLess && { isLess }),
    },
  };
}

/** A line of the document. Of a long one, the part around a column. */
function cut(text: string, column: number): string {
  const start = text.length > widestLine ? Math.max(0, column - 1 - widestLine / 4) : 0;
  const end = start + widestLine;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
