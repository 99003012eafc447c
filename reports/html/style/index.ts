import { createHash } from "node:crypto";
import { evidenceStyle } from "./evidence.ts";
import { printStyle } from "./print.ts";
import { screenStyle } from "./screen.ts";
import { toneStyle } from "./tone.ts";

/** The style sheet of the page. */
export const style = [toneStyle, screenStyle, evidenceStyle, printStyle].join("\n");

/** The source expression with which a Content-Security-Policy allows a script or style. */
export const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
