import type { Answer } from "../policy.ts";

const message = (answer: Answer): string => String((answer.body as { message?: unknown }).message);

/** Shapes that errors have elsewhere and must not have here. */
export const shapes = {
  renamed: (answer) => ({ ...answer, body: { error: message(answer) } }),
  number: (answer) => ({ ...answer, body: { message: answer.status } }),
  object: (answer) => ({ ...answer, body: { message: { en: message(answer) } } }),
  list: (answer) => ({ ...answer, body: { message: [message(answer)] } }),
  null: (answer) => ({ ...answer, body: { message: null } }),
  errors: (answer) => ({ ...answer, body: { errors: [{ detail: message(answer) }] } }),
  nested: (answer) => ({ ...answer, body: { error: { message: message(answer) } } }),
  string: (answer) => ({ ...answer, body: message(answer) }),
  array: (answer) => ({ ...answer, body: [{ message: message(answer) }] }),
  empty: (answer) => ({ ...answer, body: {} }),
} as const satisfies Record<string, (answer: Answer) => Answer>;
