import type { CompletedCommand, CompletedFlag } from "./words.ts";

/** Writes a completion script of a shell for the program `fxconform`. */
export type CompletionScript = (commands: readonly CompletedCommand[]) => string;

const bash: CompletionScript = (commands) => `# bash completion for fxconform
# Try it: source <(fxconform completion bash)
_fxconform() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" name="\${COMP_WORDS[1]}" words=""
  if ((COMP_CWORD == 1)); then
    words=${quoted(commands.map(({ name }) => name).join(" "))}
  else
    case "$name $prev" in
${commands.flatMap(({ name, flags }) => flags.filter(({ takes }) => takes !== "nothing").map(({ long, takes }) => `      ${quoted(`${name} ${long}`)}) words=${quoted(wordsOf(takes))} ;;`)).join("\n")}
      *)
        case "$name" in
${commands.map(({ name, flags, words }) => `          ${name}) words=${quoted([...words, ...flags.map(({ long }) => long)].join(" "))} ;;`).join("\n")}
        esac
        ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _fxconform fxconform
`;

const zsh: CompletionScript = (commands) => `#compdef fxconform
# zsh completion for fxconform
# Try it: source <(fxconform completion zsh)
_fxconform() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${colons(summary)}`)}`).join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  ((CURRENT--))
  case $name in
${commands.map(({ name, flags, words }) => `    ${name})\n      _arguments ${[...flags.map(zshFlag), quoted(words.length === 0 ? "*:file:_files" : `*:word:(${words.join(" ")})`)].join(" \\\n        ")}\n      ;;`).join("\n")}
  esac
}
if [[ $funcstack[1] == _fxconform ]]; then
  _fxconform "$@"
else
  compdef _fxconform fxconform
fi
`;

const fish: CompletionScript = (commands) => `# fish completion for fxconform
# Try it: fxconform completion fish | source
${commands
  .flatMap(({ name, summary, flags, words }) => [
    `complete -c fxconform -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...(words.length === 0
      ? []
      : [`complete -c fxconform -f -n '__fish_seen_subcommand_from ${name}' -a ${quoted(words.join(" "))}`]),
    ...flags.map(
      ({ long, about, takes }) =>
        `complete -c fxconform -n '__fish_seen_subcommand_from ${name}' -l ${long.slice(2)}${
          takes === "nothing" ? "" : takes === "anything" ? " -r -F" : ` -x -a ${quoted(wordsOf(takes))}`
        } -d ${quoted(about)}`,
    ),
  ])
  .join("\n")}
`;

/** The scripts by the name of the shell. */
export const completionScripts = { bash, zsh, fish } as const satisfies Record<string, CompletionScript>;

/** The values of an option, if they are known. */
const wordsOf = (takes: CompletedFlag["takes"]): string => (typeof takes === "string" ? "" : takes.join(" "));

/** A word in single quotes; fish reads it like a POSIX shell where it holds none. */
const quoted = (text: string): string => `'${text.replaceAll("'", "’")}'`;

const colons = (text: string): string => text.replaceAll(":", "\\:");

function zshFlag({ long, about, takes }: CompletedFlag): string {
  const description = colons(about).replaceAll(/[[\]]/g, (bracket) => `\\${bracket}`);
  const value = takes === "nothing" ? "" : takes === "anything" ? ":value:_files" : `:value:(${wordsOf(takes)})`;
  return quoted(`*${long}[${description}]${value}`);
}
