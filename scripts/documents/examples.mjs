/**
 * The requirements whose example has to be recorded: those without one, and those whose fault no longer exists; with
 * `faultless` also those that no fault showed, because one may have been added.
 */
export const lackingExamples = (examples, requirementIds, faults, { faultless }) =>
  requirementIds.filter((id) => {
    const example = examples.requirements[id];
    if (example?.fault !== undefined) return !faults.some((each) => each.id === example.fault);
    return faultless || example === undefined;
  });
