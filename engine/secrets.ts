/** The one list of a secret's spellings and how to find them, to search files before they are written. */
export { createSecretIndex, type SecretIndex } from "../harness/recording/secret-index.ts";
export { shortestSecret } from "../harness/recording/secret-spellings.ts";
