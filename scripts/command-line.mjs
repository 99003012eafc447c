/** What `read` returns for the arguments. Prints `usage` for `--help`, and what `read` throws (exit code 2). */
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
