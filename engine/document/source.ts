import {
  codeOf,
  fileBelow,
  fileBytes,
  FileProblem,
  InputError,
  OutsideFolder,
} from "../../model/files.ts";
import { limits, tooLarge } from "./budget.ts";

/**
 * Reads a regular file. Opens nothing that could block or have an effect, such as a device or a
 * FIFO. `name`: what errors call the file. Throws InputError, which quotes nothing of the file.
 */
export function readRegularFile(path: string, name: string): Uint8Array {
  return withReason(name, () => fileBytes(path, { most: limits.bytes }));
}

/** As `readRegularFile`, of a file below a folder. Throws OutsideFolder for any other. */
export function readFileBelow(folder: string, path: string, name: string): Uint8Array {
  return readRegularFile(
    withReason(name, () => fileBelow(folder, path)),
    name,
  );
}

/**
 * Calls `read`, and turns an error of the system into an InputError with its code, such as ENOENT.
 * The text of the error is left out, because it contains the path of the folder.
 */
function withReason<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof OutsideFolder) throw error;
    if (error instanceof FileProblem) {
      if (error.isTooLarge) throw tooLarge(name);
      throw new InputError(
        name,
        `${error.message}. Save the document in a regular file, and name that`,
      );
    }
    throw new InputError(name, `cannot be read (${codeOf(error)})`);
  }
}
