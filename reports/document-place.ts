import type { DocumentPlace } from "../model/run.ts";

/** `openapi.yaml:12:5`, which editors and terminals open. */
export function fileText({ file, line, column }: DocumentPlace): string {
  return `${file}:${line}:${column}`;
}

/** `openapi.yaml:12:5  #/components/schemas/Error`. */
export function documentPlaceText(place: DocumentPlace): string {
  return `${fileText(place)}  ${place.pointer}`;
}

/** The line with those around it, their numbers, and a sign at the line that is meant. */
export function frameLines({ frame, frameStart, line }: DocumentPlace): readonly string[] {
  const width = String(frameStart + frame.length - 1).length;
  return frame.map((text, index) => {
    const number = frameStart + index;
    return `${number === line ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd();
  });
}
