import { expect, test } from "vitest";
import { holdsSecret } from "../cli/output/secrets.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { spellingsOf } from "../harness/recording/secret-spellings.ts";

const secret = `k3y/+Ab=~Zq_&<>"'9é😀`;

/** Ways to write the secret that are in the one list, and some that are not. */
const written = [
  ...spellingsOf(secret),
  [...secret].reverse().join(""),
  secret.toUpperCase(),
  [...secret].join(" "),
  Buffer.from(secret, "utf16le").toString("hex"),
];

test("what redaction takes out is what the search of the artefacts finds, and nothing else", () => {
  const { redact, add } = createRedaction();
  add(secret, "API key");
  const takenOut = written.filter((text) => !redact(`before ${text} after`).includes(text));
  const found = written.filter((text) => holdsSecret(`before ${text} after`, [secret]));
  expect(takenOut).toEqual(spellingsOf(secret));
  expect(found).toEqual(takenOut);
});
