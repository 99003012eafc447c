/** The scripts in which names are written: letters of ASCII, with marks, or not Latin at all. */
export const scripts = ["ASCII", "Latin with marks", "Cyrillic"] as const;
export type Script = (typeof scripts)[number];

const ascii = "abcdefghijklmnopqrstuvwxyz";
const alphabets: Readonly<Record<Script, string>> = {
  ASCII: ascii,
  "Latin with marks": "ábçdéfğhíjklmñópqřštúvwxýž",
  Cyrillic: "абцдефгхийклмнопярстувжшыз",
};

/** A name of ASCII letters, letter by letter in another script. Other characters stay. */
export function inScript(name: string, script: Script): string {
  if (script === "ASCII") return name;
  return name.replaceAll(/[A-Za-z]/g, (letter) => {
    const other = alphabets[script].charAt(ascii.indexOf(letter.toLowerCase()));
    return letter === letter.toLowerCase() ? other : other.toUpperCase();
  });
}

/** The script of a name that `inScript` wrote. */
export function scriptOf(name: string): Script {
  if (/\p{Script=Cyrillic}/u.test(name)) return "Cyrillic";
  return /^[\0-\x7f]*$/.test(name) ? "ASCII" : "Latin with marks";
}
