/** The files of the programs that tests start as processes. */
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Returns the file of the program at a URL: in tests its bundle, which `testing/programs.ts` creates, and otherwise its source. */
export const programFile = (source: URL): string => {
  const file = fileURLToPath(source)
  const folder = process.env.LECTERN_TEST_PROGRAMS
  return folder === undefined ? file : join(folder, `${basename(file, ".ts")}.js`)
}
