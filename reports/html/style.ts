import { screenStyle } from "./style/screen.ts";
import { evidenceStyle } from "./style/evidence.ts";
import { pictureStyle } from "./style/picture.ts";
import { printStyle } from "./style/print.ts";
import { toneStyle } from "./style/tone.ts";

/** The page's one style sheet. */
export const style = [toneStyle, screenStyle, evidenceStyle, pictureStyle, printStyle].join("\n");
