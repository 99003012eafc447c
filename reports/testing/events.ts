/** What is known of a run when it starts, and how far it is a moment later. */
export const startFacts = {
  version: "1.0.0",
  target: "https://fx.example",
  profile: "full",
  seed: 1,
  requirements: 122,
  expectedRequests: 800,
  longestMs: 180_000,
};
export const progress = { requests: 3, scenariosDone: 1, scenarios: 9, failing: 0 };
