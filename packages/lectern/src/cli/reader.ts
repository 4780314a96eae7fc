/** Loads the optional package that serves published sites as web pages. */

import type { MakePageReader } from "@lectern/http"
import { Console, Effect } from "effect"

/** Whether the package itself is missing. A missing module inside of it is another error, which is thrown. */
const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND" &&
  error.message.includes("'@lectern/reader'")

const importReader = async () => {
  // The bundle of the command contains the package, but not its threads and assets: it must be installed.
  import.meta.resolve("@lectern/reader")
  return import("@lectern/reader")
}

/** The reader of `@lectern/reader`, or `undefined` if it is not installed. A broken installation is a defect. */
export const loadReader: Effect.Effect<MakePageReader | undefined> = Effect.promise(() =>
  importReader().then(
    ({ makeReader }) => makeReader,
    (error: unknown) => {
      if (isNotInstalled(error)) return undefined
      throw error
    }
  )
)

/** Whether `@lectern/reader` is installed. */
export const isReaderInstalled: Effect.Effect<boolean> = Effect.map(
  loadReader,
  (reader) => reader !== undefined
)

/** Prints that published sites are not served if `@lectern/reader` is not installed. */
export const reportMissingReader: Effect.Effect<void> = Effect.flatMap(loadReader, (reader) =>
  reader === undefined
    ? Console.log("Published sites are not served as web pages. To enable them: npm install @lectern/reader")
    : Effect.void
)
