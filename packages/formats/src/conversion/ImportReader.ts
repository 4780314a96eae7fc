/** The port through which the bytes of imports are parsed. */
import { Context, type Effect } from "effect"
import type { NotReadable } from "./NotReadable.ts"
import type { ReadingKind, Readings } from "./Readings.ts"

/**
 * Parses one web page, Markdown file, document, archive or sitemap. Fails with `NotReadable` if the bytes cannot be parsed.
 * It must terminate in bounded CPU time and memory for any input, and not block the event loop.
 */
export type ReadImport = <K extends ReadingKind>(
  kind: K,
  input: Readings[K]["in"]
) => Effect.Effect<Readings[K]["out"], NotReadable>

/**
 * The readers of imports of the host: `importReader()` of `@lectern/converters`. Without them, imports and exports are off.
 * Exports parse the original files of imported pages, to preserve their formatting.
 */
export const ImportReader = Context.Reference<ReadImport | undefined>("@lectern/core/ImportReader", {
  defaultValue: () => undefined
})
