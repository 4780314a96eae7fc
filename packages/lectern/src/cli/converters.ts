/** Loads the optional package that exports PDFs, reads imports and parses large OpenAPI documents. */
import { Console, Effect, Layer } from "effect"

/** Whether the package itself is missing. A missing module inside of it is another error, which is thrown. */
const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND" &&
  error.message.includes("'@lectern/converters'")

const importConverters = async () => {
  // The bundle of the command contains the package, but not its threads and assets: it must be installed.
  import.meta.resolve("@lectern/converters")
  return import("@lectern/converters")
}

/** `@lectern/converters`, or `undefined` if it is not installed. A broken installation is a defect. */
const loadConverters: Effect.Effect<Awaited<ReturnType<typeof importConverters>> | undefined> =
  Effect.promise(() =>
    importConverters().catch((error: unknown) => {
      if (isNotInstalled(error)) return undefined
      throw error
    })
  )

/** Provides the converters of `@lectern/converters` if it is installed, and nothing otherwise. */
export const convertersLayer: Layer.Layer<never> = Layer.unwrap(
  Effect.map(loadConverters, (module) => module?.Converters.layer() ?? Layer.empty)
)

/** Whether `@lectern/converters` is installed. */
export const isConvertersInstalled: Effect.Effect<boolean> = Effect.map(
  loadConverters,
  (module) => module !== undefined
)

/** Prints which conversions are disabled if `@lectern/converters` is not installed. */
export const reportMissingConverters: Effect.Effect<void> = Effect.flatMap(loadConverters, (module) =>
  module === undefined
    ? Console.log(
        "PDF export, imports and OpenAPI documents over 1 MiB (YAML: 16 KiB) are disabled. To enable them: npm install @lectern/converters"
      )
    : Effect.void
)
