/** The one module that scenarios import. What they send with, they are handed: `Context`. */
export { Inconclusive } from "../../harness/errors.ts";
export { asPlainText, derived, leftOut, type Change, type Derived, type Request, type Value } from "./changes.ts";
export { type BadHeader, type BadKey, type Guarded } from "./credentials.ts";
export { inOtherCase, oddSecrets, ofTheSameShape, truncated, unsigned } from "./credentials/secrets.ts";
export { withEndReplaced, withOneCharacterReplaced, withTail } from "./credentials/secrets.ts";
export { type Context } from "./fixtures.ts";
export { areRandom, cannotCoincide, isRandom, unknownLike, withLettersBehind } from "./ids.ts";
export { answerOf } from "./observing.ts";
export { createdIn, operationIn, type Created, type Operation, type OperationData } from "./resources.ts";
export { defined as scenario } from "./scenario.ts";
export { inTurn, type Table } from "./tables.ts";
