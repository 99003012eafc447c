/** A number with its noun: `1 requirement`, `2 requirements`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
