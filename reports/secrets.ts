import { textsOf, withTexts, isOrdinary } from "../model/evidence/redaction.ts";
import { createSecretIndex, type SecretIndex } from "../model/evidence/secret-index.ts";
import type { Run } from "../model/run.ts";

/**
 * The text of a report. Undefined if the run contains a secret. If a secret arises only in the form
 * of this report, all texts of the server and of clients are left out.
 */
export function reportText(
  run: Run,
  render: (run: Run) => string,
  secrets: readonly string[],
): string | undefined {
  const text = render(run);
  if (!holdsSecret(text, secrets)) return text;
  if (secretsIn(run, secrets).length > 0) return undefined;
  const own = render(withTexts(run, () => "[left out]"));
  const shows = (secret: string): boolean =>
    holdsSecret(text, [secret]) && !holdsSecret(own, [secret]);
  return secrets.some(shows) ? own : text;
}

/**
 * The secrets that the texts of the server and of clients contain, in a run or in an entry of a
 * recording.
 */
export function secretsIn(whole: unknown, secrets: readonly string[]): readonly string[] {
  const holding = textsOf(whole).filter(secretSearch(secrets));
  return holding.length === 0
    ? []
    : secrets.filter((secret) => holding.some(secretSearch([secret])));
}

/**
 * Whether a text contains a whole secret in any spelling. Secrets that ordinary texts may contain
 * by chance (`isOrdinary`) are not searched for.
 */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secretSearch(secrets)(text);
}

export function secretSearch(secrets: readonly string[]): (text: string) => boolean {
  return indexOf(secrets).holdsWhole;
}

/**
 * The text with every secret masked, in every spelling, even if it was cut or changed. Ordinary
 * secrets (`isOrdinary`) stay.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return indexOf(secrets).replacedIn(text);
}

function indexOf(secrets: readonly string[]): SecretIndex {
  const index = createSecretIndex();
  for (const secret of secrets) if (!isOrdinary(secret)) index.add(secret, mask);
  return index;
}

/**
 * The text with every secret masked. An ordinary secret (`isOrdinary`) is masked only as a separate
 * word.
 */
export function withoutSecretWords(text: string, secrets: readonly string[]): string {
  let masked = withoutSecrets(text, secrets);
  for (const secret of secrets.filter((one) => one !== "" && isOrdinary(one))) {
    const literal = secret.replace(
      /[^\p{L}\p{N}]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );
    masked = masked.replace(
      new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "gu"),
      mask,
    );
  }
  return masked;
}

const mask = "‹secret›";
