import type { Section } from "./sections.ts";

/** A point that the specification leaves open. It is judged only if a statement pins its answer. */
export interface Question {
  readonly source: Section;
  readonly question: string;
  /** What a run records as the answer; for `never`, why it records nothing. */
  readonly observed: string;
  /** What can answer it: any exchange, only a scenario that looks for the answer (`sequence`), or nothing (`never`). */
  readonly shows: "every exchange" | "sequence" | "never";
}

const q = (source: Section, question: string, observed: string, shows: Question["shows"] = "sequence"): Question => ({
  source,
  question,
  observed,
  shows,
});

const always = "every exchange";

/** Every open point by its permanent id. */
export const questions = {
  "OPEN-01": q(
    "States and transitions",
    "Which statuses do operations have?",
    "the status of each operation in any response",
    always,
  ),
  "OPEN-02": q(
    "Resources, Operation",
    "Which purposes other than EFX are accepted?",
    "accepted or refused, for IMPORT, EXPORT and each configured purpose",
  ),
  "OPEN-03": q(
    "Resources, Batch",
    "Which statuses do batches have?",
    "the status of each batch in any response",
    always,
  ),
  "OPEN-04": q(
    "Resources, Counterparty",
    "Which members of a counterparty are required?",
    "accepted or refused, for each member that is left out",
  ),
  "OPEN-05": q(
    "Resources, ACAM item",
    "Which members of an ACAM item are required?",
    "accepted or refused, for each member that is left out",
  ),
  "OPEN-06": q(
    "Resources, ACAM item",
    "Which values of an ACAM item are checked?",
    "each wrong type, a zero and a negative amount, a malformed tax id: accepted or refused",
  ),
  "OPEN-07": q(
    "Endpoints, 1",
    "With which status does the token endpoint refuse?",
    "the 4xx status for each kind of bad key",
  ),
  "OPEN-08": q("Endpoints, 2", "With which status does the registration succeed?", "the 2xx status"),
  "OPEN-09": q(
    "Endpoints, 2",
    "With which statuses does the registration refuse?",
    "the 4xx status for a made-up customer and for a body that breaks a rule",
  ),
  "OPEN-10": q("Endpoints, 4", "With which status does an ACAM item succeed?", "the 2xx status"),
  "OPEN-11": q(
    "Endpoints, 4",
    "With which statuses is an ACAM item refused?",
    "the 4xx status for a purpose that is not EFX, an unknown operation, and a body that breaks a rule",
  ),
  "OPEN-12": q("Endpoints, 5", "With which status does the creation of a batch succeed?", "the 2xx status"),
  "OPEN-13": q(
    "Endpoints, 5",
    "With which statuses is a batch refused?",
    "the 4xx status for a body that breaks a rule",
  ),
  "OPEN-14": q(
    "Endpoints, 5",
    "Which body members does a batch take besides currency_pair?",
    "an unknown member: accepted or refused",
  ),
  "OPEN-15": q("Endpoints, 6", "With which status does the list succeed?", "the 2xx status"),
  "OPEN-16": q(
    "Endpoints, 6",
    "What do count and total count?",
    "whether each equals the number of batches shown, or is above or below it, in a list too short to be a page",
  ),
  "OPEN-17": q(
    "Endpoints, 6",
    "In which order are batches listed?",
    "newest first, oldest first, or neither, among the batches that the run created",
  ),
  "OPEN-18": q(
    "Endpoints, 6",
    "Is the list paged, and how?",
    "members and headers of a short list that look like a cursor; what limit=1 and other parameters change",
  ),
  "OPEN-19": q(
    "Authentication",
    "How long does a token live?",
    "whether a token lapsed during the run, and the status of the refusal",
    always,
  ),
  "OPEN-20": q("Authentication", "Does the token endpoint issue the same token again?", "same or new"),
  "OPEN-21": q("Authentication", "Does a new token revoke older ones?", "whether an older token is still accepted"),
  "OPEN-22": q(
    "Authentication",
    "Which customers may a token act on?",
    "a made-up customer: accepted or refused, with the status",
  ),
  "OPEN-23": q(
    "Authentication",
    "With which status do endpoints other than POST /corporate/operation refuse bad tokens?",
    "the 4xx status by endpoint",
  ),
  "OPEN-24": q("Authentication", "Is a token accepted without the Bearer scheme?", "accepted or refused"),
  "OPEN-25": q("Authentication", "Does a 401 carry WWW-Authenticate?", "yes or no"),
  "OPEN-26": q(
    "Errors",
    "Do errors carry codes that a machine can read?",
    "the names of members beside message",
    always,
  ),
  "OPEN-27": q(
    "Limits",
    "Is there a rate limit?",
    "the status of a throttled request, whether with Retry-After, and refusals while another request was in flight",
    always,
  ),
  "OPEN-28": q("Limits", "Which texts are accepted?", "long, non-ASCII and odd text: accepted or refused"),
  "OPEN-29": q("Limits", "Which amounts are accepted?", "configured amounts that were refused"),
  "OPEN-30": q("Endpoints, 4", "Does an operation take a second ACAM item?", "accepted or refused, with the status"),
  "OPEN-31": q(
    "Resources, Counterparty",
    "What happens to an id that the client sends?",
    "ignored, taken over, or refused",
  ),
  "OPEN-32": q(
    "Endpoints, 5",
    "What happens when a second batch for a pair is created?",
    "a new batch, the first one again, or refused",
  ),
  "OPEN-33": q(
    "Resources, Operation",
    "How does customer_id relate to the counterparty's customer?",
    "equal, other, or absent",
  ),
  "OPEN-34": q(
    "Resources, Operation",
    "How do the banks of an operation relate to those of its counterparty?",
    "equal, other, or absent",
  ),
  "OPEN-35": q("Endpoints", "What happens to unknown members of a request?", "accepted or refused by endpoint"),
  "OPEN-36": q("Endpoints", "What is the response to a body that is not declared as JSON?", "the status"),
  "OPEN-37": q(
    "Endpoints",
    "What is the response to another method on a known path?",
    "the status, and whether Allow is there",
  ),
  "OPEN-38": q("Endpoints, 2", "Is a wrong JSON type in a counterparty refused?", "accepted or refused by member"),
  "OPEN-39": q("Endpoints, 5", "Is a batch without a valid currency_pair refused?", "accepted or refused by change"),
  "OPEN-40": q(
    "Resources, Operation",
    "Which members of a new operation are present?",
    "the names of absent members",
    always,
  ),
  "OPEN-41": q(
    "States and transitions",
    "Which transitions do operations and batches make?",
    "not observable: no endpoint moves or reads a single operation",
    "never",
  ),
  "OPEN-42": q(
    "Events",
    "Are there events, callbacks or webhooks?",
    "not observable: nothing in the interface registers a receiver",
    "never",
  ),
  "OPEN-43": q(
    "Versioning",
    "How is the interface versioned?",
    "headers with version or deprecation in their name",
    always,
  ),
  "OPEN-44": q(
    "Limits",
    "After how long does the server give up?",
    "not observable without holding connections open for long",
    "never",
  ),
  "OPEN-45": q(
    "Resources, Counterparty",
    "What happens to a counterparty that was sent before?",
    "a new one, the first one again, or refused; for each part of the data that is the same",
  ),
} as const satisfies Record<string, Question>;

/** The id of an open question. */
export type QuestionId = keyof typeof questions;

/** All question ids in order. */
export const questionIds = Object.keys(questions) as readonly QuestionId[];

/** Whether `id` is the id of an open question. */
export const isQuestionId = (id: string): id is QuestionId => Object.hasOwn(questions, id);
