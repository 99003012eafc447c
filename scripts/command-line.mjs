/**
 * What `read` returns for the arguments of a script. `--help` prints `usage` and ends the process with 0. An error that
 * `read` throws is wrong usage: it is printed in one line and ends the process with 2.
 */
export const commandLine = (usage, read) => {
  const words = process.argv.slice(2);
  if (words.includes("--help")) {
    console.log(usage.trim());
    process.exit(0);
  }
  try {
    return read(words);
  } catch (error) {
    // The message of parseArgs goes on with advice that does not fit here.
    return refuse(error.message.split(/\. To specify|\n/)[0]);
  }
};

/** Prints what is wrong with the arguments and ends the process with 2. */
export const refuse = (problem) => {
  console.error(`${problem}. Try: --help`);
  process.exit(2);
};

/** The value of an option that takes a whole number. Throws if it is something else, or below `least`. */
export const wholeNumber = (values, name, least = 1) => {
  if (!/^\d+$/.test(values[name]) || Number(values[name]) < least)
    throw new Error(`--${name} needs a whole number of at least ${least}`);
  return Number(values[name]);
};
