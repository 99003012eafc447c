import type { Flags } from "../configuration/invocation.ts";
import { optionOf, variableOf, type OptionName } from "../configuration/options.ts";
import { problemText } from "../configuration/problem.ts";
import type { Io, Terminal } from "../output/io.ts";
import { choicesOf, type chosenOptions } from "./choices.ts";

/** A question, and the value if the answer is empty. */
interface Question {
  readonly name: (typeof chosenOptions)[number] | "targets";
  readonly text: string;
  readonly standard: string;
}

const standardOf = (name: OptionName): string => {
  const { fallback, fallbackText, kind } = optionOf(name);
  return fallback === undefined ? (fallbackText ?? "none") : kind.toText(fallback);
};

const questions: readonly Question[] = [
  { name: "baseUrl", text: "Address of the server", standard: String(optionOf("baseUrl").example) },
  { name: "apiKey", text: "Where the API key is: env:NAME or file:path", standard: `env:${variableOf("apiKey")}` },
  { name: "customerId", text: "Customer to register counterparties under", standard: standardOf("customerId") },
  { name: "currencyPairs", text: "Currency pairs that work there", standard: standardOf("currencyPairs") },
  { name: "otherPurposes", text: "Purposes besides EFX that work there", standard: standardOf("otherPurposes") },
  { name: "amount", text: "Valid amounts, min..max:decimals", standard: standardOf("amount") },
  { name: "targets", text: "Further targets, such as sandbox,production=https://fx.example", standard: "none" },
];

/**
 * The flags, and the answers for what they leave out. Explains a wrong answer and repeats its question. Undefined if
 * the user ended the input.
 */
export async function answered(
  flags: Flags,
  { onTerminal, cwd }: Pick<Io, "onTerminal" | "cwd">,
): Promise<Flags | undefined> {
  const terminal = onTerminal();
  try {
    terminal.print("Press Enter to accept the value in brackets. Press Ctrl-C to stop without writing a file.\n");
    let given = flags;
    for (const question of questions) {
      if (given[question.name] !== undefined || (question.name === "apiKey" && given["apiKeyFile"] !== undefined)) {
        continue;
      }
      const answer = await answerTo(question, terminal, cwd);
      if (answer === undefined) return undefined;
      if (answer !== "") given = { ...given, [question.name]: answer };
    }
    return given;
  } finally {
    terminal.close();
  }
}

async function answerTo(
  { name, text, standard }: Question,
  { nextLine, print }: Terminal,
  cwd: string,
): Promise<string | undefined> {
  for (;;) {
    const answer = (await nextLine(`${text} [${standard}]: `))?.trim();
    if (answer === undefined || answer === "") return answer;
    const [problem] = choicesOf({ [name]: answer }, () => "This", cwd).problems;
    if (problem === undefined) return answer;
    print(`${problemText(problem)}\n`);
  }
}
