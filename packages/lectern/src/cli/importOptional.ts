/** Imports optional packages of the command. */
import { isPackageMissing } from "@lectern/http/server"
import { Effect } from "effect"

/**
 * Imports an optional package, or returns `undefined` if it is not installed. A broken installation is a defect. `load` imports it by
 * a literal name, so that the bundle of the command contains it.
 */
export const importOptional = <Module>(
  name: string,
  load: () => Promise<Module>
): Effect.Effect<Module | undefined> =>
  Effect.promise(async () => {
    try {
      // The bundle contains the code of the package, but not its threads and assets: it must be installed.
      import.meta.resolve(name)
      return await load()
    } catch (error) {
      if (isPackageMissing(error, name)) return undefined
      throw error
    }
  })
