/** The one module that scenarios import. What they send with, they are handed: `Context`. */
export { Inconclusive } from "../../harness/errors.ts";
export { asPlainText, derived, leftOut, type Change, type Derived, type Value } from "./changes.ts";
export { type BadHeader, type Guarded } from "./credentials.ts";
export { inOtherCase, oddSecrets, truncated, unsigned } from "./credentials/secrets.ts";
export { withOneCharacterReplaced, withTail } from "./credentials/secrets.ts";
export { type Context } from "./fixtures.ts";
export { areRandom, cannotCoincide, unknownLike, withLettersBehind } from "./ids.ts";
export { answerOf } from "./observing.ts";
export { createdIn, operationIn, type Created, type Operation, type OperationData } from "./resources.ts";
export { defined as scenario } from "./scenario.ts";
export { inTurn, type Table } from "./tables.ts";
