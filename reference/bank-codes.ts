/**
 * Whether a text is a BIC (ISO 9362): four letters, the two letters of a country, then two or five
 * letters or digits.
 */
export function isBic(code: string): boolean {
  return /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(code);
}

/**
 * Whether a text is an IBAN (ISO 13616): its first four characters are moved to the end, each
 * letter is read as a number (A is 10), and the whole number must be 1 modulo 97.
 */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(text)) return false;
  const rotated = text.slice(4) + text.slice(0, 4);
  const digits = rotated.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

/** Whether a text is an ABA routing number: nine digits whose weighted sum is a multiple of ten. */
export function isRoutingNumber(text: string): boolean {
  return (
    /^\d{9}$/.test(text) &&
    [...text].reduce((sum, digit, at) => sum + Number(digit) * ([3, 7, 1][at % 3] ?? 0), 0) % 10 ===
      0
  );
}

/** Whether a text is a CPF (11 digits) or a CNPJ (14 digits), with two right check digits. */
export function isTaxId(text: string): boolean {
  const person = text.length === 11;
  if (!/^(\d{11}|\d{14})$/.test(text) || /^(\d)\1*$/.test(text)) return false;
  return [text.length - 2, text.length - 1].every((at) => {
    const sum = [...text.slice(0, at)].reduce((total, digit, index) => {
      const left = at - index + 1;
      return total + Number(digit) * (person ? left : ((left - 2) % 8) + 2);
    }, 0);
    const rest = sum % 11;
    return Number(text[at]) === (rest < 2 ? 0 : 11 - rest);
  });
}
