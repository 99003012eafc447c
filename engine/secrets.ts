/** The one list of a secret's spellings, how to find them and where, to search files before they are written. */
export { createSecretIndex, type SecretIndex } from "../harness/recording/secret-index.ts";
export { isOrdinary } from "../harness/recording/secret-spellings.ts";
export { textsOf, withTexts } from "../harness/recording/run-texts.ts";
