/** The heavy modules of the program, loaded by the commands that need them: `list` and `--help` start at once. */
export const modules = {
  run: async () => (await import("../engine/run.ts")).run,
  warmEngine: async () => (await import("../engine/warm-engine.ts")).createWarmEngine,
  preflight: async () => (await import("../engine/preflight.ts")).preflight,
  renderers: async () => (await import("../reports/index.ts")).renderers,
  console: async () => import("../reports/console.ts"),
  judgeRecordings: async () => (await import("../traffic/recordings/recordings.ts")).judgeRecordings,
  watchClients: async () => (await import("../traffic/served.ts")).watchClients,
  readRun: async () => (await import("../reports/read.ts")).readRun,
  startReference: async () => (await import("../reference/server.ts")).startReference,
  makeCertificate: async () => (await import("../reference/certificate.ts")).makeCertificate,
  faults: async () => (await import("../reference/faults/index.ts")).faults,
  variants: async () => (await import("../reference/variants/index.ts")).variants,
} as const;

/** The modules, or stand-ins of a test. */
export type Modules = typeof modules;
