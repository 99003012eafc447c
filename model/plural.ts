/** A number with its noun: `1 requirement`, `2 requirements`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Words in a row: `count, total and batches`. */
export function listed(words: readonly string[], before: "and" | "or" = "and"): string {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${before} ${words.at(-1)}`;
}
