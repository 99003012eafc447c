import type { Certificate } from "../../model/run.ts";

/** One thing that must be right before anything can be judged. */
export interface PreflightStep {
  readonly step: "name" | "connection" | "tls" | "key" | "token" | "list" | "operation";
  readonly ok: boolean;
  /** A run goes no further, since nothing could be tested. */
  readonly stops?: true;
  /** What was found; redacted. */
  readonly found: string;
  /** Of the server, where this step read it. */
  readonly certificate?: Certificate;
  /** What to put right, and where. */
  readonly advice?: string;
}
