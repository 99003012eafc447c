import type { Answer } from "../policy.ts";

const shaped =
  (bodyOf: (message: string, answer: Answer) => unknown) =>
  (answer: Answer): Answer => ({
    ...answer,
    body: bodyOf(String((answer.body as { message?: unknown }).message), answer),
  });

/** Error bodies that break the specified shape. */
export const shapes = {
  renamed: shaped((message) => ({ error: message })),
  number: shaped((_message, { status }) => ({ message: status })),
  object: shaped((message) => ({ message: { en: message } })),
  list: shaped((message) => ({ message: [message] })),
  null: shaped(() => ({ message: null })),
  errors: shaped((message) => ({ errors: [{ detail: message }] })),
  nested: shaped((message) => ({ error: { message } })),
  string: shaped((message) => message),
  array: shaped((message) => [{ message }]),
  empty: shaped(() => ({})),
} as const;
