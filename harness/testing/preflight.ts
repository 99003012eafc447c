import { createProgress } from "../../model/evidence/counts.ts";
import { createRecorder } from "../../model/evidence/recorder.ts";
import { createRedaction } from "../../model/evidence/redaction.ts";
import { secretsOf, type Target } from "../../model/target.ts";
import { settings, target } from "../../model/testing/target.ts";
import { createSerials } from "../sending/attempt.ts";
import { isTestable } from "../sending/preflight.ts";
import { createScheduler } from "../sending/turns.ts";

/** What the preflight finds out about a target, with the tokens and secrets that it remembers. */
export async function preflightAt(over: Partial<Target>, timeout = 2000) {
  const own = { ...target, ...over };
  const secrets: string[] = [];
  const tokens: string[] = [];
  const progress = createProgress();
  const redaction = createRedaction((secret) => secrets.push(secret), secretsOf(own));
  const recorder = createRecorder({
    redaction,
    progress,
    replayCommand: "",
  });
  const { signal } = new AbortController();
  const scheduler = createScheduler(1, Infinity, signal);
  const nextSerial = createSerials();
  const parts = { recorder, redaction, signal, scheduler, userAgent: "test/1", nextSerial };
  const isGood = await isTestable({
    ...parts,
    onToken: (token) => tokens.push(token),
    target: own,
    settings: { ...settings, timeout },
  });
  return { isGood, secrets, tokens, steps: progress.now().steps };
}
