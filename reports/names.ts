/** The word of each report: what `--reports` takes. Here and not in `index.ts`, which loads every renderer. */
export const reportNames = ["json", "junit", "html", "markdown", "har", "ctrf", "badge", "metrics"] as const;

/** The word of a report. */
export type ReportName = (typeof reportNames)[number];
