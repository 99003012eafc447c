import type { DocumentPlace } from "../model/run.ts";

/** A place in a form that editors and terminals open: `openapi.yaml:12:5`. */
export function fileText({ file, line, column }: DocumentPlace): string {
  return `${file}:${line}:${column}`;
}

/** A place with its JSON pointer: `openapi.yaml:12:5  #/components/schemas/Error`. */
export function documentPlaceText(place: DocumentPlace): string {
  return `${fileText(place)}  ${place.pointer}`;
}

/** The line at a place and the lines around it, each with its number. `>` marks the line itself. */
export function frameLines({ frame, frameStart, line }: DocumentPlace): readonly string[] {
  const width = String(frameStart + frame.length - 1).length;
  return frame.map((text, index) => {
    const number = frameStart + index;
    return `${number === line ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd();
  });
}
