/**
 * The requirements whose example has to be recorded: those without one, and those that name a fault or a scenario which
 * no longer exists; with `faultless` also those that no fault showed, because one may have been added.
 * `faults` and `scenarios` are ids and titles.
 */
export const lackingExamples = (examples, requirementIds, { faults, scenarios, faultless }) =>
  requirementIds.filter((id) => {
    const example = examples.requirements[id];
    if (example === undefined || !example.scenarios.every((title) => scenarios.includes(title))) return true;
    return example.fault === undefined ? faultless : !faults.includes(example.fault);
  });
