import type { QuestionId } from "./questions.ts";
import type { Section } from "./sections.ts";

/**
 * How a contested point of the specification is read, and why. Reports show it to readers who doubt
 * a verdict.
 */
export interface Interpretation {
  readonly source: Section;
  readonly title: string;
  /**
   * The strictest level of the requirements that rest on this interpretation. `open`: the server is
   * only observed. `suite`: the interpretation is about what fxconform sends or reports.
   */
  readonly level: "MUST" | "SHOULD" | "open" | "suite";
  /** What is expected of the server or, at level `suite`, of fxconform. */
  readonly reading: string;
  /** What a server may do without being blamed. */
  readonly neverBlamed: string;
  readonly why: string;
  /** The open questions under which reports show what this interpretation leaves open. */
  readonly questions?: readonly QuestionId[];
}

/**
 * Makes an interpretation from a text in three parts: the reading, what is never blamed, and why.
 * Line breaks become spaces.
 */
function row(
  source: Section,
  title: string,
  level: Interpretation["level"],
  ...questions: readonly QuestionId[]
) {
  return ([text = ""]: TemplateStringsArray): Interpretation => {
    const parts = text
      .trim()
      .replaceAll(/\s+/g, " ")
      .split(/ (?:Never blamed|Why): /);
    const [reading = "", neverBlamed = "", why = ""] = parts;
    return {
      source,
      title,
      level,
      reading,
      neverBlamed,
      why,
      ...(questions.length > 0 && { questions }),
    };
  };
}

const ofStatuses = [
  "OPEN-07",
  "OPEN-08",
  "OPEN-09",
  "OPEN-10",
  "OPEN-11",
  "OPEN-12",
  "OPEN-13",
  "OPEN-15",
] as const;

/** Every interpretation by its permanent id. Code cites them as `INT-19`. */
export const interpretations = {
  "INT-01": row("Introduction", "The media type of responses", "MUST")`
    A response with a body declares it as application/json. It fails without a Content-Type and with any other media
    type, such as text/html or text/plain, even if its bytes are JSON. All six operations return members on success,
    so a success without a body, such as 204, fails too.
    Never blamed: Parameters of the media type, such as a charset, and upper or lower case in its name.
    Why: The introduction names this media type for all bodies. How media types compare is defined by RFC 9110.`,
  "INT-02": row("Introduction", "JSON in UTF-8", "MUST")`
    A body is exactly one JSON text as RFC 8259 defines it, encoded in UTF-8. NaN, a trailing comma, a truncated body
    and bytes of another encoding fail.
    Never blamed: White space, the order of members, escapes in strings, and different spellings of one number, such
    as 1000.0.
    Why: The specification says JSON without defining it. RFC 8259 is its definition, and it requires UTF-8 between
    systems.`,
  "INT-03": row("Resources, Error and Token response", "The shape of errors", "MUST", "OPEN-26")`
    The body of every 4xx response is an object with a string member message. INT-13 and INT-38 name the exceptions.
    Never blamed: Additional members, in errors and in all other responses, and the text of the message.
    Why: The specification gives every endpoint an error of this shape. It does not say that objects are closed.`,
  "INT-04": row("Errors", "Server errors and missing responses", "MUST")`
    A well-formed HTTP request never gets a 5xx response, whether its content is valid or not. INT-56 is about 502,
    503 and 504. A dropped connection or a time-out counts only if it happens again when the request is sent alone on
    a fresh connection, while a valid control request succeeds.
    Never blamed: A server that is in trouble as a whole: if the control request fails too, or if other responses
    have lately taken more than half the time-out, the requirement is inconclusive.
    Why: A 5xx status says that the server failed, and the specification describes no such outcome. A single lost
    connection can have many causes outside the server.`,
  "INT-05": row("Endpoints", "What counts as a refusal", "MUST")`
    A server refuses with a 4xx status. A 2xx response whose body reports a failure is judged as a success: it fails
    because it lacks the members that a success has.
    Never blamed: Which 4xx status is used, unless the specification names one.
    Why: Clients tell success from failure by the status. Both statuses that the specification shows for errors are
    4xx.`,
  "INT-06": row(
    "Endpoints",
    "Status codes that the specification does not name",
    "SHOULD",
    ...ofStatuses,
  )`
    If no success status is named, every 2xx passes; if no error status is named, every 4xx passes. The status is
    observed. The success of POST /batches is labelled Created, so 201 is a SHOULD there.
    Never blamed: 201 or 202 for a registration or an ACAM item, and 403, 404, 409 or 422 for a refusal.
    Why: The specification marks these numbers as not shown. The label Created suggests 201 without requiring it.`,
  "INT-07": row("Resources, BankAccount", "Types and required members in responses", "MUST")`
    The stated types and the required members of BankAccount, Bank and Error hold wherever such an object appears: at
    any depth, and in every element of a list. A member that is present has its stated type, so null fails where a
    string is stated. Only an Operation may have null as its intermediary_bank; everywhere else it is a Bank or
    absent.
    Never blamed: Absent members that are not marked as required, and the format of a returned BIC, IBAN or account
    number. Only date-times and numbers have a format that responses are judged by.
    Why: The tables of the specification state types, required members and the one nullable place. They state no
    format of a bank detail.`,
  "INT-08": row("Resources, Operation", "Timestamps", "MUST")`
    A created_at is a string with an RFC 3339 date-time, including the T and a zone. The created_at of an Operation
    has the offset of UTC: Z, +00:00 or -00:00. A number, a space instead of the T and a missing zone fail.
    Never blamed: The number of fraction digits, and any offset in a batch or in an operation inside a batch.
    Why: The specification names RFC 3339 and states UTC for the Operation alone.`,
  "INT-09": row("Resources, Operation", "Integers and exact amounts", "MUST")`
    count, total and operation_count are JSON numbers with an integer value: 2.0 passes, 2.5 and the string "2" fail.
    A returned amount is a JSON number that reads as exactly the same IEEE double as the amount that was sent.
    Never blamed: The spelling of a number: 1000, 1000.0 and 1e3 are one value.
    Why: The specification states integer and double as types, and that the amount of an operation repeats the
    requested one.`,
  "INT-10": row("Introduction", "HTTPS only", "MUST")`
    If the base URL is https, the same host and port do not serve the API over plain HTTP. Only a success over plain
    HTTP fails. An http base URL is accepted for loopback addresses, or with --allow-http; HTTPS is inconclusive then.
    Never blamed: A redirect, a refusal, a dropped connection, an HTML error page, and other ports of the host.
    Why: The introduction requires HTTPS and rules out plain HTTP. The API key and the token are not sent in clear to
    a host other than loopback without permission, so the check is inconclusive there.`,
  "INT-11": row("Limits", "Valid requests that are refused", "suite", "OPEN-22", "OPEN-29")`
    A valid request that gets a 4xx response makes a requirement inconclusive, not failed, unless the specification
    promises success. The report repeats the server's message and names the option that may help. A request that names
    something just created is retried within the grace period. Valid requests differ in their data, because a server
    may reject repeated data; INT-35 describes the exception.
    Never blamed: Limits, compliance checks, opening hours, duplicate detection, and a short delay before new objects
    are known.
    Why: Limits are not shown, so a server may have any. From outside, a limit looks the same as a wrong
    configuration.`,
  "INT-12": row("Errors", "Responses to invalid requests", "MUST")`
    Of the response to a request that breaks a rule, only the status, the media type, the JSON and the error shape are
    judged. Later requests never refer to what such a request created.
    Never blamed: Members of a success that repeat the invalid values of the request, in the response or in a later
    list.
    Why: The specification does not say what a server makes of invalid values that it accepts.`,
  "INT-13": row("Limits", "Rate limits", "suite", "OPEN-27")`
    429 is never a verdict, whatever its body, and neither is 503 with Retry-After. 403 with Retry-After is treated
    alike once a valid request with good credentials met it, or where bad credentials meet it after ten of them and
    not before. The suite waits as long as Retry-After says, or one second, and retries. It waits at most 30 seconds at a time and
    60 seconds in a row, for bad credentials too. After that the requirement is inconclusive.
    Never blamed: Rate limits of any size, and error bodies that a gateway writes for them.
    Why: Rate limits are not shown, and a limit says nothing about the request that hits it.`,
  "INT-14": row("Endpoints, 1", "Getting a token", "MUST")`
    A successful token call returns a string token that is not empty and fits into a header. The call works without a
    body, without an Authorization header, and both with and without Content-Type: application/json. A 2xx response
    without a usable token fails, and so does a new token that another endpoint refuses twice with 401, however soon
    it would know it.
    Never blamed: A refusal of the configured API key, which may be wrong: it is inconclusive.
    Why: The endpoint has no body, and its sample sends a Content-Type all the same. A token that cannot be used makes
    every other endpoint unreachable.`,
  "INT-15": row("Endpoints, 1", "Invalid API keys", "MUST", "OPEN-07")`
    A missing, empty, truncated, extended or made-up API key is refused with a 4xx status, and so is the real key with
    one character changed. A comparison that ignores letter case fails a SHOULD.
    Never blamed: Which 4xx status is used, and a lock or a delay after several bad keys.
    Why: A key that the operator did not issue identifies no client. Whether letter case belongs to a key is not
    stated.`,
  "INT-16": row("Authentication", "Tokens are opaque", "MUST", "OPEN-19", "OPEN-20", "OPEN-21")`
    Nothing is concluded from the length, the alphabet or the structure of a token. The endpoint may return one token
    again and again or a new one each time. Tokens may be short-lived, and a new one may revoke the others. The suite
    always uses the latest token. If an older one gets a 4xx that may be about the token, the request is sent again
    with the latest. A refusal with 401 or 403 counts only if new tokens get it too, or where an endpoint has refused three invalid requests so with new
    tokens and no token has lapsed.
    Never blamed: Short lifetimes, revocation of older tokens, and tokens that are not JWTs.
    Why: Lifetime, renewal and revocation are not shown. A token is stated to be a string, and nothing more.`,
  "INT-17": row("Authentication", "Invalid tokens", "MUST", "OPEN-23", "OPEN-24", "OPEN-25")`
    Each of the five endpoints that take a token refuses a request without Authorization, with a made-up token and
    with a tampered one. On POST /corporate/operation the status is exactly 401, elsewhere any 4xx. Tampered means
    that one character in the middle is replaced, or that characters are appended. Headers without a token, and other
    schemes with what is no good token, get any 4xx; INT-46 is about good tokens. The API key is not a token, neither
    in Authorization nor in x-api-key, unless the server issues it as one. A comparison of tokens that ignores letter
    case fails a SHOULD. Apart from the token these requests are valid, so it does not matter what a server examines
    first. They come last, one at a time until ten of them have led to no lock and no throttling. Beside these ten
    flows only traffic whose requirements have been judged before. A refusal counts once good credentials of the same
    kind are accepted after it, without a wait for the end of a lock. Where limits or locks take long, one of each of
    these forms is sent, without further variations, and the run says so.
    Never blamed: Accepting a token whose last character is changed, because base64 may ignore its bits. Accepting a
    token without the Bearer scheme, which is observed. Locks and throttling after bad tokens.
    Why: Authorization is required on five endpoints, and 401 is stated for one. A token with one other character is
    not the token that was issued.`,
  "INT-18": row("Resources, Operation", "A new operation", "MUST", "OPEN-33", "OPEN-34", "OPEN-40")`
    The status is exactly 200. The member status is present and is pending_quote, and operation_id is present. A
    batch_id that is present is null; leaving it out fails a SHOULD only. foreign_currency_amount, currency_pair,
    operation_purpose and counterparty_id repeat the request if they are present. A purpose that is accepted comes
    back character for character, with the spaces at its ends.
    Never blamed: Other absent members, and how customer_id and the banks relate to the counterparty.
    Why: Status code, status and batch_id are stated for a new operation. No member is marked as required, but only
    operation_id can name the operation in later requests.`,
  "INT-19": row("Endpoints, 3", "Invalid operations", "MUST")`
    A creation is answered with exactly 400 and a message if one of the four members is missing, null or of another
    JSON type. The same holds for a body that is not an object, an empty body and malformed JSON.
    Never blamed: The text of the message, and which member it names if several are wrong.
    Why: All four members are required with a type, and 400 is stated for invalid request parameters.`,
  "INT-20": row("Endpoints, 3", "Doubtful operations", "SHOULD")`
    A zero or negative amount, a malformed or unknown currency pair and an unknown counterparty should be refused with
    any 4xx. Accepting them fails a SHOULD. A 5xx fails a MUST, because of INT-04.
    Never blamed: Strings that are not in the usual format of their member.
    Why: The specification states the type of these members but no range and no format. It suggests that they name
    real currencies and a registered counterparty.`,
  "INT-21": row("Resources, Operation", "Ids are unique within a kind", "MUST")`
    Two counterparties, two operations or two batches that are created with different data have different ids, even if
    they are created at the same time. INT-35 says which data counts for counterparties, INT-27 for batches. Ids are
    strings of any characters, and the suite percent-encodes them in paths. The ids that it makes up have plain
    characters only, because proxies refuse some encoded ones. A refusal of an id with such characters is judged once
    the endpoint accepted a path with them.
    Never blamed: An id that an operation and a batch share, and one id for two creations with the same data.
    Why: The specification calls these ids unique identifiers and says nothing about their format.`,
  "INT-22": row("Endpoints, 4", "The texts of an ACAM success", "MUST")`
    The message is exactly "ACAM item added successfully" and the status is exactly "success", letter by letter.
    Never blamed: Additional members.
    Why: The specification quotes both texts for the success of this endpoint.`,
  "INT-23": row("Endpoints, 4", "ACAM items are for EFX operations", "MUST", "OPEN-02", "OPEN-11")`
    An ACAM item is refused with a 4xx and a message if the operation in the path has another purpose than EFX, or
    does not exist. Operations that were created earlier or later make no difference.
    Never blamed: A server on which no purpose other than EFX is known to work: the rule is inconclusive there.
    Why: The specification limits the endpoint to EFX operations, and describes the item as added to an existing one.`,
  "INT-24": row(
    "Resources, ACAM item",
    "What an ACAM item must contain",
    "MUST",
    "OPEN-05",
    "OPEN-06",
    "OPEN-30",
  )`
    Only a 5xx fails. Whether an operation takes a second item, which members are required and which values are
    refused is observed.
    Never blamed: Accepting or refusing an incomplete item, a wrong type, a zero amount, an odd tax id or a second
    item.
    Why: Required flags and formats of the members are not shown, and the number of items is not limited.`,
  "INT-25": row("Resources, Counterparty", "A returned counterparty", "MUST")`
    The id is present. An external_id that is present is the one that was sent, character for character; an empty one
    is a string too, and null is not. The name, the address and the banks should be returned as they were sent.
    Never blamed: Absent members other than id. Normalised or masked names, addresses and bank details fail a SHOULD
    only.
    Why: The endpoint is stated to return the id, and the client chooses the external_id. Many servers normalise the
    rest.`,
  "INT-26": row(
    "Resources, Counterparty",
    "What a counterparty must contain",
    "open",
    "OPEN-04",
    "OPEN-31",
    "OPEN-38",
  )`
    Which members a registration requires is observed, and so is what a server does with an id that the client sends.
    Never blamed: Accepting or refusing an incomplete counterparty, or one with a wrong type or an id.
    Why: Required request members are not shown, and the id is described for responses only.`,
  "INT-27": row("Endpoints, 5", "A created batch", "MUST", "OPEN-32", "OPEN-39")`
    The id is present. A currency_pair that is present is the one that was sent. Batches for different pairs are
    different batches.
    Never blamed: A second batch for the same pair: it may be new, refused, or the first one again.
    Why: A batch is returned with its id and is described by its pair alone. Whether a pair has several batches is not
    stated.`,
  "INT-28": row("Endpoints, 6", "The members of the list", "MUST", "OPEN-16", "OPEN-17")`
    A list has the array batches and the integers count and total, and every listed batch has the array operations. A
    run reads the list for the first time before it creates anything.
    Never blamed: The values of count and total, and the order of the batches.
    Why: The success of the endpoint is shown with these three members, and it is described as listing each batch with
    its operations. What the two numbers count is not shown.`,
  "INT-29": row("Endpoints, 6", "A created batch is in the list", "MUST", "OPEN-18")`
    A created batch appears within the grace period. If it does not, the server fails only if nothing suggests a page
    or a filter: the list shows fewer than ten batches, neither count nor total is above the number shown, and no
    additional member or header looks like a cursor. Otherwise the requirement is inconclusive.
    Never blamed: Paging and filters of any kind, and a delay that is shorter than the grace period.
    Why: The endpoint lists batches, so a batch that exists is among them. Paging is not shown, so it may be there.`,
  "INT-30": row("Resources, BatchOperation", "Operations in a batch", "MUST")`
    An operation inside a batch has no member operation_purpose, not even null. Its batch_id, if present, is the id of
    the batch around it. A negative operation_count fails a SHOULD.
    Never blamed: An operation_count that differs from the number of listed operations.
    Why: The specification states that the member does not exist there. It describes operation_count as a number of
    SWIFT operations, which need not be all operations.`,
  "INT-31": row("Limits", "What the suite sends as valid", "suite", "OPEN-28")`
    Valid requests are plausible for a real bank. BICs, IBANs, ABA numbers and tax ids have the right length and check
    digits, and countries are ISO 3166 codes. Account numbers are up to 34 letters and digits. An external_id is new
    on every attempt. Amounts, pairs and purposes come from the configuration, and an ACAM amount is not above the
    amount of its operation. Long texts and texts beyond ASCII are sent apart from valid requests.
    Never blamed: Refusing long, non-ASCII or odd texts.
    Why: Formats are not stated, so a server may check them as banks do. A request that such a check refuses would
    test nothing.`,
  "INT-32": row("Limits", "How the suite behaves on the wire", "suite")`
    Each request has a User-Agent with the version and the id of the run, Accept: application/json and, with a body,
    Content-Type and Content-Length. No header is above 8 KB. Gzip is understood, and a connection that the server
    closes between requests is replaced. The suite keeps to the configured rate and concurrency. A default run sends
    at most 800 requests to a server without limits, and at most 1,000 to a usual one (INT-43).
    Never blamed: Compression, and closing idle connections or connections after a few requests.
    Why: A server owner must be able to recognise a run, and to predict what it costs.`,
  "INT-33": row("Endpoints, 6", "Slow, paged, large and old lists", "suite", "OPEN-18")`
    Nothing is concluded from response times or from how a list is split into pages. Batches that are older than the
    run are judged by the specification only, not by what this server accepts today. The suite reads lists of 100,000
    batches.
    Never blamed: The size of the list, its paging, and a response time below the configured time-out.
    Why: Limits, paging and time-outs are not shown.`,
  "INT-34": row("Endpoints", "408, 304 and other redirections", "MUST")`
    A 408 for an idle connection counts as a connection that the server closed: the suite repeats the request on a new
    connection and judges the response to that. GET /batches is sent without conditions, so a 304, after a list was
    returned once, is a success without a body and fails. Any other redirection of a valid request makes the
    requirement inconclusive, and the report advises to check the base URL. A redirection of an invalid request is no
    refusal and fails, unless valid requests of the endpoint are redirected too.
    Never blamed: Closing idle connections, and redirects of a base URL that is not the real one. An endpoint that
    redirects valid and invalid requests alike: nothing is judged there.
    Why: RFC 9110 gives 408 and 304 these meanings. The specification describes no redirect, but gateways send them.`,
  "INT-35": row("Resources, Counterparty", "Which counterparties are the same", "MUST")`
    Counterparties whose bank accounts differ get different ids, even if their names are equal; only a shared
    external_id allows one id for both. Data that was sent before may be refused, merged or registered anew, but never
    leads to a 5xx.
    Never blamed: Merging counterparties that share the account or the external_id, whatever their names are.
    Why: An operation names its payee by this id alone. If two accounts shared an id, nobody could tell which one is
    paid.`,
  "INT-36": row("Endpoints, 4", "Other purposes and unknown operations", "MUST")`
    A purpose other than EFX works if it is configured, or if the response repeats it unchanged and it differs from
    EFX by more than letter case, white space and Unicode normalisation. The id of a counterparty or a batch stands
    for an unknown operation only if the ids of this server cannot coincide: each kind has a prefix of its own, or an
    id has at least 64 random bits. An existing id with at least four letters appended always stands for an unknown
    operation.
    Never blamed: A server that treats "efx" as EFX, and ids that happen to be equal across kinds.
    Why: The rule needs an operation that is certainly not EFX, or certainly does not exist. Any doubt is observed
    instead.`,
  "INT-37": row("What the service does", "Partial runs", "suite")`
    A run of profile smoke or of a selection, or one that was interrupted, cannot show conformance. Without a
    violation its outcome is partial, and the report says how many of all requirements it judged.
    Never blamed: Requirements that a partial run does not judge.
    Why: The service is all six operations together. A few of them say nothing about the others.`,
  "INT-38": row("Endpoints", "Other methods, odd headers and long values", "MUST", "OPEN-37")`
    A method that the specification does not name fails only with a dropped connection or with a 5xx other than 501.
    The same holds for headers beyond ASCII, for very long keys and tokens, and for brackets, spaces and percent signs,
    percent-encoded, in a query and in an id that the suite makes up. It holds for what a request was made odd by,
    never for what the server or the user chose, such as the base URL.
    Never blamed: The status, and a missing Allow header. 400, 414 and 431 from an HTTP layer, in any format, to such
    a request.
    Why: The specification names no other method. HTTP servers and gateways often refuse such requests before the
    application sees them.`,
  "INT-39": row("Endpoints", "Made-up ids", "suite")`
    The suite copies the shape of a known id only if that shape has at least 64 random bits. Any other id that it
    makes up contains a text that shows where it comes from, so that it never names an object of somebody else.
    Never blamed: Refusing an id for its shape alone.
    Why: A request with a guessed id could change real data.`,
  "INT-40": row("Resources, Batch", "What invalid requests leave behind", "MUST")`
    If a server accepts an invalid request, what it created is not judged when it appears later, in a list or in a
    batch. 1e400 is well-formed JSON although an IEEE double cannot represent it, so a server may accept or refuse it.
    Never blamed: Values that a server made of invalid ones, such as null for an amount that it could not represent.
    Why: The suite caused this data. The rule that the server broke by accepting it is judged on the request itself.`,
  "INT-41": row(
    "Endpoints, 3",
    "Member names in another letter case, and requests that are not UTF-8",
    "MUST",
  )`
    Only a 5xx or a dropped connection fails. Everything else is observed.
    Never blamed: Accepting or refusing either.
    Why: Some JSON readers ignore the letter case of names or replace unknown bytes, and the specification does not
    forbid it.`,
  "INT-42": row("Endpoints, 3", "Malformed JSON anywhere in a body", "MUST")`
    A body is malformed wherever its mistake is, also in an unknown or a nested member: NaN, Infinity and -Infinity,
    and numbers such as .5 and 0123. INT-19 applies: the status is exactly 400.
    Never blamed: Refusing or accepting unknown members in a well-formed body.
    Why: RFC 8259 defines a JSON text as a whole. A parser that ignores mistakes accepts something that is not JSON.`,
  "INT-43": row("Limits", "Usual and rare servers", "suite")`
    A run gets the verdict of a usual server within 1,000 requests. Usual are tokens that are good for at least 5 s
    and 50 requests; limits with 429 or 503 and Retry-After; up to 2 % of the requests met by 502, 503, 504 or a
    closed connection; 409, 423 or 425 for a moment after a creation; up to 2 s until something new is known;
    responses of up to 2 s; a lock-out or a limit after ten or more bad credentials that ends within 30 s. A run
    against a rare server may end without a verdict and says why.
    Never blamed: A rare server that is legal.
    Why: The specification shows no limits and no lifetimes, so anything is legal. What hardly any server does is not
    worth the requests and the time that a verdict would cost.`,
  "INT-44": row("Endpoints, 3", "What belongs to a body", "MUST")`
    A member that stands in the query alone is missing. Of a body with a Content-Encoding, which the server may not
    know or which may not match the body, only a crash is judged.
    Never blamed: Reading such a body, and refusing it in any format.
    Why: The specification lists the members under the body, and names no content coding.`,
  "INT-45": row("Endpoints", "What a probe sends beside its one change", "suite")`
    All that a request has beside the change that it tests is valid and was not sent before: its external id, its
    account and its name are made for it, also if it is sent again. INT-35 is the exception, because its requests test
    repeated data.
    Never blamed: Refusing an external id, an account or a name that was used before.
    Why: A server may refuse repeated data for that alone, and such a refusal would be taken for one of the change.`,
  "INT-46": row("Authentication", "Good tokens with another scheme", "SHOULD", "OPEN-24")`
    A good token that is sent with another scheme than Bearer, such as Token or Basic, or in the query alone, should
    be refused. Accepting it fails a SHOULD. Anything else than a good token is refused there too (INT-17).
    Never blamed: Accepting a good token without a scheme, which is observed.
    Why: A refusal is stated for missing and for invalid tokens, and a good token is neither. The specification shows
    the scheme Bearer without saying what becomes of others.`,
  "INT-47": row(
    "Introduction",
    "Requests for other media types, and targets that are no URI",
    "MUST",
    "OPEN-37",
  )`
    Of a request whose Accept header excludes JSON, such as text/html alone, only a 5xx or a dropped connection fails.
    Of a request target that is no valid URI, such as %zz, nothing is judged.
    Never blamed: The status and the body of either.
    Why: A client that refuses JSON asks for something else than the specification describes. RFC 3986 does not allow
    such a target, so HTTP libraries and gateways may do anything with it.`,
  "INT-48": row("What the service does", "Responses that break a rule", "suite")`
    Where a response breaks a rule and its meaning is still beyond doubt, the requirement fails and the run goes on with
    the value: a number for an id, as its text; a token under another name, if there is one member whose name ends in
    token or one text of some length; a list of objects in the place of the object with batches.
    Never blamed: Nothing else is inferred, and nothing on which a check of security depends.
    Why: One wrong member would leave most of a server unjudged, though a client could go on too.`,
  "INT-49": row("Authentication", "What a success of the token endpoint issues", "suite")`
    Whatever a success of the token endpoint carries that could serve as a credential is a secret of the run: other
    members than token at any depth, cookies, and headers that are named like credentials. It is taken out of reports,
    recordings and messages as the token is.
    Never blamed: Issuing further credentials, and issuing none.
    Why: Servers issue refresh tokens, id tokens and sessions beside the token, and whoever reads a report could use
    them.`,
  "INT-50": row("Limits", "How long a run takes", "suite")`
    A run with the default options ends within three minutes if responses take at most a second, whatever the server
    does; \`--max-time\` sets another bound. Where a limit of the server leaves no time for all, the suite leaves out
    first what shows again what it has judged already, then all but one bad credential of each form. It says so, and what
    it could not judge.
    Never blamed: A server that is too slow to be judged in that time.
    Why: A pipeline needs a result. Faulty and rare servers can otherwise keep a run waiting for an hour.`,
  "INT-51": row("Resources, Batch", "What this run created, shown again", "MUST")`
    What this run created is compared with its creation wherever it shows up again under the same id. A listed batch has
    the currency_pair that it was created with. An operation inside a batch should have the currency_pair, the amount and
    the counterparty_id that it was created with.
    Never blamed: Members that are left out, another status, and what other clients created.
    Why: A pair names what a batch is for, so it cannot become another one. How an operation goes on is not described, so
    that its members may change for a reason that nobody stated.`,
  "INT-52": row("Resources, Batch", "The form of what is older than the run", "MUST")`
    The stated types and required members hold for all that a response shows, also for batches and operations that were
    there before the run.
    Never blamed: Old values that this server would not accept today (INT-33), and what an invalid request of this suite
    left behind (INT-40).
    Why: The schema describes the response, not what is stored. A client that reads a list meets the old and the new
    alike.`,
  "INT-53": row("Endpoints", "Redirections of valid and invalid requests alike", "MUST")`
    Where an endpoint redirects valid requests, the redirection of an invalid one is not judged: no control request
    passes, and the requirement is inconclusive.
    Never blamed: A proxy, a portal or a moved address that redirects every request.
    Why: A redirection that does not depend on the request says nothing of how the request was judged.`,
  "INT-54": row("Endpoints, 6", "Batches that leave the list again", "MUST", "OPEN-18")`
    A created batch that the list has shown once has appeared (INT-29). That a later list does not show it is no finding.
    Never blamed: Archiving batches, moving them to another page, and lists of the latest few.
    Why: The endpoint lists batches, and nothing says how long a batch stays in the list.`,
  "INT-55": row("Introduction", "Legal spellings that are unusual", "MUST")`
    These are right: a name that stands twice among the additional members of a response, an escape such as \\ud800 in a
    text that repeats nothing, Content-Encoding: identity, and an empty parameter in a media type, as in
    application/json; with nothing behind it. A token may have blanks inside.
    Never blamed: Each of these. The suite sends a token with blanks as it is.
    Why: RFC 8259 and RFC 9110 allow these spellings or leave to the reader what they mean. A token is stated to be a
    string.`,
  "INT-56": row("Errors", "502, 503 and 504", "MUST", "OPEN-27")`
    502, 503 and 504 fail only if they come back after pauses and when the request is sent alone, before and after a
    valid control request that is answered. After three such findings at an endpoint, its further 502, 503 and 504
    get no verdict.
    Never blamed: A burst of them that passes, which is observed, and a server that answers the control with them too.
    Why: They come from a gateway in front of the server at least as often as from the server.`,
  "INT-57": row("What the service does", "What a run may leave open", "suite")`
    A full run concludes that a server conforms only if each MUST has a verdict, but for what needs something that this
    server does not show or the user did not configure: an optional member, operations in a batch, a list without pages,
    a second pair, another purpose, HTTPS, two requests at once, or a valid request that the server refuses for a fresh
    counterparty too. Each requirement names which of these may leave it open. What the user forbids with
    --max-bad-credentials makes a run partial. Any other MUST without a verdict makes it inconclusive.
    Never blamed: A requirement without a verdict never fails.
    Why: A requirement that nothing could judge says nothing of the server. If any number of them could stay open, a
    server would conform that was hardly tested.`,
  "INT-58": row("What the service does", "OpenAPI documents", "suite")`
    A document promises what it says: an operation that is missing or has another path or method, a closed object that
    excludes a stated member, a member of a request that is missing or has another name or type, an operation that can
    be called without the token, and an error that may have another shape contradict the specification. What a
    document only leaves out of responses, or an optional member of a request, is a SHOULD at most. A document cannot
    show conformance: its outcome is partial at best.
    Never blamed: What a document adds or does not describe, and limits of the server's own, such as lengths, ranges
    and lists of values.
    Why: Clients are generated from documents, and what a document promises wrongly breaks them. A server may do more
    than its document says.`,
} as const satisfies Record<string, Interpretation>;

export type InterpretationId = keyof typeof interpretations;
export const interpretationIds = Object.keys(interpretations) as readonly InterpretationId[];
export const interpretationOf = (id: InterpretationId): Interpretation => interpretations[id];
export function isInterpretationId(id: string): id is InterpretationId {
  return Object.hasOwn(interpretations, id);
}
