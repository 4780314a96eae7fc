/** Loads the optional package that is the application in the browser. */

import type { MakeApplication } from "@lectern/http"
import { Effect } from "effect"

/** Whether the package itself is missing. A missing module inside of it is another error, which is thrown. */
const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND" &&
  error.message.includes("'@lectern/studio'")

const importStudio = async () => {
  // The bundle of the command contains the package, but not its assets: it must be installed.
  import.meta.resolve("@lectern/studio")
  return import("@lectern/studio")
}

/** `studio` of `@lectern/studio`, or `undefined` if it is not installed. A broken installation is a defect. */
export const loadStudio: Effect.Effect<MakeApplication | undefined> = Effect.promise(() =>
  importStudio().then(
    ({ studio }) => studio,
    (error: unknown) => {
      if (isNotInstalled(error)) return undefined
      throw error
    }
  )
)

/** Whether `@lectern/studio` is installed. */
export const isStudioInstalled: Effect.Effect<boolean> = Effect.map(
  loadStudio,
  (studio) => studio !== undefined
)
