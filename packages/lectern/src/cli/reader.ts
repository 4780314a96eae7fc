/** Loads the optional package that serves published sites as web pages. */

import type { MakePageReader } from "@lectern/http"
import { Console, Effect } from "effect"
import { importOptional } from "./importOptional.ts"

/** The reader of `@lectern/reader`, or `undefined` if it is not installed. */
export const loadReader: Effect.Effect<MakePageReader | undefined> = Effect.map(
  importOptional("@lectern/reader", () => import("@lectern/reader")),
  (module) => module?.makeReader
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
