/** The names of the reports, which `--reports` takes. They are not in `index.ts`, because that loads every renderer. */
export const reportNames = ["json", "junit", "html", "markdown", "har", "metrics"] as const;

/** The name of a report. */
export type ReportName = (typeof reportNames)[number];
