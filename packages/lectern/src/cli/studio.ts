/** Loads the optional package that is the application in the browser. */

import type { MakeApplication } from "@lectern/http"
import { Effect } from "effect"
import { importOptional } from "./importOptional.ts"

/** `studio` of `@lectern/studio`, or `undefined` if it is not installed. */
export const loadStudio: Effect.Effect<MakeApplication | undefined> = Effect.map(
  importOptional("@lectern/studio", () => import("@lectern/studio")),
  (module) => module?.studio
)

/** Whether `@lectern/studio` is installed. */
export const isStudioInstalled: Effect.Effect<boolean> = Effect.map(
  loadStudio,
  (studio) => studio !== undefined
)
