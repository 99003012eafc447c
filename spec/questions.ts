import type { Section } from "./sections.ts";

/** A point that the specification leaves open. It is judged only if a statement pins its answer. */
export interface Question {
  readonly source: Section;
  readonly question: string;
  /**
   * What a run records as the answer. For a question that nothing shows: why a run records nothing.
   */
  readonly observed: string;
  /**
   * What can answer the question: any exchange, only a scenario that looks for the answer
   * (`sequence`), or nothing (`never`).
   */
  readonly shows: "every exchange" | "sequence" | "never";
}

/** Makes a question from two lines of text: the question, and what a run records as the answer. */
function questionsThat(shows: Question["shows"]) {
  return (source: Section) =>
    ([text = ""]: TemplateStringsArray): Question => {
      const [question = "", observed = ""] = text.split(/\n */);
      return { source, question, observed, shows };
    };
}
const asked = questionsThat("sequence");
const seen = questionsThat("every exchange");
const unseen = questionsThat("never");

/** Every open question by its permanent id. */
export const questions = {
  "OPEN-01": seen("States and transitions")`Which statuses do operations have?
    the status of each operation in any response`,
  "OPEN-02": asked("Resources, Operation")`Which purposes other than EFX are accepted?
    accepted or refused, for IMPORT, EXPORT and each configured purpose`,
  "OPEN-03": seen("Resources, Batch")`Which statuses do batches have?
    the status of each batch in any response`,
  "OPEN-04": asked("Resources, Counterparty")`Which members of a counterparty are required?
    accepted or refused, for each member that is left out`,
  "OPEN-05": asked("Resources, ACAM item")`Which members of an ACAM item are required?
    accepted or refused, for each member that is left out`,
  "OPEN-06": asked("Resources, ACAM item")`Which values of an ACAM item are checked?
    each wrong type, a zero and a negative amount, a malformed tax id: accepted or refused`,
  "OPEN-07": asked("Endpoints, 1")`With which status does the token endpoint refuse?
    the 4xx status for each kind of bad key`,
  "OPEN-08": asked("Endpoints, 2")`With which status does the registration succeed?
    the 2xx status`,
  "OPEN-09": asked("Endpoints, 2")`With which statuses does the registration refuse?
    the 4xx status for a made-up customer and for a body that breaks a rule`,
  "OPEN-10": asked("Endpoints, 4")`With which status does an ACAM item succeed?
    the 2xx status`,
  "OPEN-11": asked("Endpoints, 4")`With which statuses is an ACAM item refused?
    the 4xx status for a purpose that is not EFX, an unknown operation, and a body that breaks a rule`,
  "OPEN-12": asked("Endpoints, 5")`With which status does the creation of a batch succeed?
    the 2xx status`,
  "OPEN-13": asked("Endpoints, 5")`With which statuses is a batch refused?
    the 4xx status for a body that breaks a rule`,
  "OPEN-14": asked("Endpoints, 5")`Which body members does a batch take besides currency_pair?
    an unknown member: accepted or refused`,
  "OPEN-15": asked("Endpoints, 6")`With which status does the list succeed?
    the 2xx status`,
  "OPEN-16": asked("Endpoints, 6")`What do count and total count?
    whether each equals the number of batches shown, or is above or below it, in a list too short to be a page`,
  "OPEN-17": asked("Endpoints, 6")`In which order are batches listed?
    newest first, oldest first, or neither, among the batches that the run created`,
  "OPEN-18": asked("Endpoints, 6")`Is the list paged, and how?
    members and headers of a short list that look like a cursor; what limit=1 and other parameters change`,
  "OPEN-19": seen("Authentication")`How long does a token live?
    whether a token lapsed during the run, and the status of the refusal`,
  "OPEN-20": asked("Authentication")`Does the token endpoint issue the same token again?
    same or new`,
  "OPEN-21": asked("Authentication")`Does a new token revoke older ones?
    whether an older token is still accepted`,
  "OPEN-22": asked("Authentication")`Which customers may a token act on?
    a made-up customer: accepted or refused, with the status`,
  "OPEN-23": asked(
    "Authentication",
  )`With which status do endpoints other than POST /corporate/operation refuse bad tokens?
    the 4xx status by endpoint`,
  "OPEN-24": asked("Authentication")`Is a token accepted without the Bearer scheme?
    accepted or refused`,
  "OPEN-25": asked("Authentication")`Does a 401 carry WWW-Authenticate?
    yes or no`,
  "OPEN-26": seen("Errors")`Do errors carry codes that a machine can read?
    the names of members beside message`,
  "OPEN-27": seen("Limits")`Is there a rate limit?
    the status of a throttled request, whether with Retry-After, and refusals while another request was in flight`,
  "OPEN-28": asked("Limits")`Which texts are accepted?
    long, non-ASCII and odd text: accepted or refused`,
  "OPEN-29": asked("Limits")`Which amounts are accepted?
    configured amounts that were refused`,
  "OPEN-30": asked("Endpoints, 4")`Does an operation take a second ACAM item?
    accepted or refused, with the status`,
  "OPEN-31": asked("Resources, Counterparty")`What happens to an id that the client sends?
    ignored, taken over, or refused`,
  "OPEN-32": asked("Endpoints, 5")`What happens when a second batch for a pair is created?
    a new batch, the first one again, or refused`,
  "OPEN-33": asked(
    "Resources, Operation",
  )`How does customer_id relate to the counterparty's customer?
    equal, other, or absent`,
  "OPEN-34": asked(
    "Resources, Operation",
  )`How do the banks of an operation relate to those of its counterparty?
    equal, other, or absent`,
  "OPEN-35": asked("Endpoints")`What happens to unknown members of a request?
    accepted or refused by endpoint`,
  "OPEN-36": asked("Endpoints")`What is the response to a body that is not declared as JSON?
    the status`,
  "OPEN-37": asked("Endpoints")`What is the response to another method on a known path?
    the status, and whether Allow is there`,
  "OPEN-38": asked("Endpoints, 2")`Is a wrong JSON type in a counterparty refused?
    accepted or refused by member`,
  "OPEN-39": asked("Endpoints, 5")`Is a batch without a valid currency_pair refused?
    accepted or refused by change`,
  "OPEN-40": seen("Resources, Operation")`Which members of a new operation are present?
    the names of absent members`,
  "OPEN-41": unseen("States and transitions")`Which transitions do operations and batches make?
    not observable: no endpoint moves or reads a single operation`,
  "OPEN-42": unseen("Events")`Are there events, callbacks or webhooks?
    not observable: nothing in the interface registers a receiver`,
  "OPEN-43": seen("Versioning")`How is the interface versioned?
    headers with version or deprecation in their name`,
  "OPEN-44": unseen("Limits")`After how long does the server give up?
    not observable without holding connections open for long`,
  "OPEN-45": asked("Resources, Counterparty")`What happens to a counterparty that was sent before?
    a new one, the first one again, or refused; for each part of the data that is the same`,
} as const satisfies Record<string, Question>;

export type QuestionId = keyof typeof questions;
export const questionIds = Object.keys(questions) as readonly QuestionId[];
export const isQuestionId = (id: string): id is QuestionId => Object.hasOwn(questions, id);
