/** The one list of a secret's spellings and how they are found, for the search through what is about to be written. */
export { createSecretIndex, type SecretIndex } from "../harness/recording/secret-index.ts";
export { shortestSecret } from "../harness/recording/secret-spellings.ts";
