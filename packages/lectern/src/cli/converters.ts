/** Loads the optional package that exports PDFs, reads imports and parses large OpenAPI documents. */
import { Console, Effect, Layer } from "effect"
import { importOptional } from "./importOptional.ts"

/** `@lectern/converters`, or `undefined` if it is not installed. */
const loadConverters = importOptional("@lectern/converters", () => import("@lectern/converters"))

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
