/** The only module of the kit that scenarios import. Their `Context` has everything that sends. */
export { Inconclusive } from "../../harness/errors.ts";
export { answerOf } from "../run/observing.ts";
export { areRandom, cannotCoincide, idsNear, isRandom } from "./altered.ts";
export { unknownLike, withLettersBehind } from "./altered.ts";
export { inOtherCase, ofTheSameShape, otherThan, truncated } from "./altered.ts";
export { withEndReplaced, withOneCharacterReplaced, withTail } from "./altered.ts";
export {
  asPlainText,
  derived,
  leftOut,
  sharing,
  type Change,
  type Derived,
  type Request,
  type Value,
} from "./changes.ts";
export { type Context } from "./context.ts";
export { tryTogether, type Part } from "./packs.ts";
export { type BadCredential, type Guarded } from "./bad-credentials.ts";
export { createdIn, operationIn, type Operation, type OperationData } from "./resources.ts";
export { inTurn } from "./samples.ts";
export { scenario } from "./scenario.ts";
