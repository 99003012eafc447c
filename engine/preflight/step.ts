import type { Certificate } from "../../model/run.ts";

/** One thing that must be right before anything can be judged. */
export interface PreflightStep {
  readonly step: "name" | "connection" | "tls" | "key" | "token" | "list" | "operation";
  readonly ok: boolean;
  /** The run ends here, because nothing can be tested. */
  readonly stops?: true;
  /** What was found, redacted. */
  readonly found: string;
  /** The server's certificate, if this step read it. */
  readonly certificate?: Certificate;
  /** What to correct, and where. */
  readonly advice?: string;
}
