/** The optional package that exports PDFs, reads imports and parses large OpenAPI documents. */
import { Console, Effect, Layer } from "effect"

/** Whether an error says that the package itself is not installed; that a module of it is missing is another error. */
const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND" &&
  error.message.includes("'@lectern/converters'")

const load = () => import("@lectern/converters")

/** `@lectern/converters`, or `undefined` where it is not installed. A broken installation is a defect. */
const installed: Effect.Effect<Awaited<ReturnType<typeof load>> | undefined> = Effect.promise(() =>
  load().catch((error: unknown) => {
    if (isNotInstalled(error)) return undefined
    throw error
  })
)

/** Provides the converters of `@lectern/converters` where it is installed, and nothing where it is not. */
export const convertersLayer: Layer.Layer<never> = Layer.unwrap(
  Effect.map(installed, (module) => module?.Converters.layer() ?? Layer.empty)
)

/** Prints which conversions are off where `@lectern/converters` is not installed. */
export const reportMissingConverters: Effect.Effect<void> = Effect.flatMap(installed, (module) =>
  module === undefined
    ? Console.log(
        "PDF export, imports and OpenAPI documents over 1 MiB (YAML: 16 KiB) are off. To turn them on: npm install @lectern/converters"
      )
    : Effect.void
)
