import type { RunOptions } from "../model/run-options.ts";
import type { AmountRange, RunSettings, Target } from "../model/target.ts";
import type { Kind } from "./kinds/kind.ts";

/**
 * One option: its flag, its variable and its key in the configuration file share one name in three
 * spellings.
 */
export interface Option<T, I = unknown> {
  readonly kind: Kind<T, I>;
  /** The placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly about: string;
  /** The value if none is given, as the file would hold it. */
  readonly fallback?: boolean | number | string | readonly string[] | AmountRange;
  /** Describes the default; an object needs it. @defaultValue the value, or none */
  readonly fallbackText?: string;
  /** The flag, if it differs from the name. */
  readonly flag?: `--${string}`;
  /** The value is a path; in the configuration file it is relative to that file. */
  readonly isPath?: true;
  /** The value is never shown. */
  readonly isSecret?: true;
  /**
   * What the value becomes: a member of the run as it is, or what a file makes of it together with
   * other options.
   */
  readonly sets: Sets<T>;
}

/** Members of a type that can hold a value. */
type MembersFor<T, V> = { [M in keyof T]-?: V extends NonNullable<T[M]> ? M : never }[keyof T];

export type Sets<V> =
  | { readonly in: "target"; readonly member: MembersFor<Target, V> }
  | { readonly in: "settings"; readonly member: MembersFor<RunSettings, V> }
  | { readonly in: "gate"; readonly member: MembersFor<RunOptions, V> }
  | { readonly by: string };

/** Checks a row against the type of its value. */
export const option = <T, I>(row: Option<T, I>): Option<T, I> => row;
