import { readFileSync } from "node:fs";
import type { Finding } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { QuestionId } from "../../spec/questions.ts";

/** A request or response as a reader needs it: the first line, the headers that matter, and the body. */
interface ExampleMessage {
  readonly line: string;
  readonly headers: readonly string[];
  /** Cut to a bound; absent if none was sent. */
  readonly body?: string;
}

/** An exchange with the reference server. */
export interface ExampleExchange {
  /** `valid`, `unusual: …` or `invalid: …` */
  readonly intent: string;
  readonly request: ExampleMessage;
  readonly response?: ExampleMessage;
  /** What went wrong if there is no response. */
  readonly error?: string;
}

/** What shows a requirement. */
export interface RequirementExample {
  /** Titles of some scenarios in which it is judged. */
  readonly scenarios: readonly string[];
  readonly obeys?: ExampleExchange;
  /** The fault of the reference server that `breaks` was recorded with. */
  readonly fault?: string;
  readonly breaks?: Pick<Finding, "message" | "expected" | "actual" | "pointer"> & {
    readonly exchange?: ExampleExchange;
  };
}

/** The recorded examples. */
export interface Examples {
  readonly requirements: Readonly<Partial<Record<RequirementId, RequirementExample>>>;
  /** Answers of the reference server. */
  readonly questions: Readonly<
    Partial<Record<QuestionId, readonly { readonly case: string; readonly answer: string }[]>>
  >;
}

/** Reads the examples, which `npm run examples` records with the reference server and its faults. */
export const readExamples = (): Examples =>
  JSON.parse(readFileSync(new URL("../examples.json", import.meta.url), "utf8")) as Examples;
