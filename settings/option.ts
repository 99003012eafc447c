import type { RunOptions } from "../model/run-options.ts";
import type { RunSettings, Target } from "../model/target.ts";
import type { AmountRange } from "../spec/amount-range.ts";
import type { Kind } from "./kinds/kind.ts";

/**
 * An option. Its flag, its variable and its key in the configuration file are three spellings of
 * one name.
 */
export interface Option<T, I = unknown> {
  readonly kind: Kind<T, I>;
  /** The placeholder for the value in the help. Absent for a switch. */
  readonly value?: string;
  readonly about: string;
  /** The default value, as the configuration file would hold it. */
  readonly fallback?: boolean | number | string | readonly string[] | AmountRange;
  /**
   * Describes the default in words, which a default that is an object needs. @defaultValue the
   * value, or none
   */
  readonly fallbackText?: string;
  /** The flag, if it is spelt differently from the name. */
  readonly flag?: `--${string}`;
  /** The value is a path. In the configuration file, the path is relative to that file. */
  readonly isPath?: true;
  /** The value is secret and never shown. */
  readonly isSecret?: true;
  /**
   * Where the value goes: unchanged into a member of the target, the settings or the gate, or to
   * the source file `by`, which makes something of it and of other options.
   */
  readonly sets: Sets<T>;
}

/** The names of the members of type `T` that can hold a value of type `V`. */
type MembersFor<T, V> = { [M in keyof T]-?: V extends NonNullable<T[M]> ? M : never }[keyof T];

export type Sets<V> =
  | { readonly in: "target"; readonly member: MembersFor<Target, V> }
  | { readonly in: "settings"; readonly member: MembersFor<RunSettings, V> }
  | { readonly in: "gate"; readonly member: MembersFor<RunOptions, V> }
  | { readonly by: string };

/**
 * Returns a row of the table as it is. The compiler checks that the row fits the type of its value.
 */
export const option = <T, I>(row: Option<T, I>): Option<T, I> => row;
