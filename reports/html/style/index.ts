import { createHash } from "node:crypto";
import { evidenceStyle } from "./evidence.ts";
import { pictureStyle } from "./picture.ts";
import { printStyle } from "./print.ts";
import { screenStyle } from "./screen.ts";
import { toneStyle } from "./tone.ts";

/** The one style sheet of the page. */
export const style = [toneStyle, screenStyle, evidenceStyle, pictureStyle, printStyle].join("\n");

/** How a policy names a script or a style that may stand in the page. */
export const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
