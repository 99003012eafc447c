/** Members, with what holds them where a name alone would not do, whose texts are fxconform's own or its user's. */
const own = new Set([
  ...["tool", "specification", "runId", "target", "profile", "selection", "settings", "startedAt", "outcome"],
  ...["requirements.id", "area", "level", "statement", "source", "verdict", "skippedBy", "judgedIn", "violates"],
  ...["findings.intent", "replay", "scenario", "operation", "requirement", "kind", "causes.requirements", "expires"],
  ...["observations.id", "question", "method", "example"],
  ...["startedDateTime", "httpVersion", "encoding", "_encoding"],
]);

/** A run, or an entry of a recording, with every text changed that can hold a word of the server or of a client. */
export const withTexts = <T>(whole: T, change: (text: string) => string): T => {
  const changed = (value: unknown, name: string, holder: string): unknown => {
    if (own.has(name) || own.has(`${holder}.${name}`)) return value;
    if (typeof value === "string") return change(value);
    if (Array.isArray(value)) return value.map((one: unknown) => changed(one, name, holder));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, changed(inside, key, name)]));
  };
  return changed(whole, "", "") as T;
};

/** The texts that `withTexts` changes. */
export const textsOf = (whole: unknown): readonly string[] => {
  const texts: string[] = [];
  withTexts(whole, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
};
