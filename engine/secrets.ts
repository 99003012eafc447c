/** The one list of a secret's spellings, for the search through what is about to be written. */
export { shortestSecret, spellingsOf } from "../harness/recording/secret-spellings.ts";
