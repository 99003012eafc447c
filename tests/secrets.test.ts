import { expect, test } from "vitest";
import { holdsSecret } from "../engine/secrets.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { spellingsOf } from "../harness/recording/secret-spellings.ts";

const secret = `k3y/+Ab=~Zq_&<>"'9é😀`;

/** Spellings of the secret: those of `spellingsOf`, and some others. */
const written = [
  ...spellingsOf(secret),
  [...secret].reverse().join(""),
  secret.toUpperCase(),
  [...secret].join(" "),
  Buffer.from(secret, "utf16le").toString("hex"),
];

test("redaction and the search of the artefacts find the same spellings of a secret", () => {
  const { redact, add } = createRedaction();
  add(secret, "API key");
  const takenOut = written.filter((text) => !redact(`before ${text} after`).includes(text));
  const found = written.filter((text) => holdsSecret(`before ${text} after`, [secret]));
  expect(takenOut).toEqual(spellingsOf(secret));
  expect(found).toEqual(takenOut);
});
