/** The port through which the bytes of imports are parsed. */
import { Context, type Effect } from "effect"
import type { NotReadable, ReadingKind, Readings } from "./Readings.ts"

/**
 * Parses one web page, Markdown file, document, archive or sitemap, or extracts one outline. Fails with `NotReadable`
 * if the bytes cannot be parsed. It must terminate in bounded CPU time and memory for any input, and not block the
 * event loop.
 */
export type Read = <K extends ReadingKind>(
  kind: K,
  input: Readings[K]["in"]
) => Effect.Effect<Readings[K]["out"], NotReadable>

/** The import reader of the host: `importReader()` of `@lectern/converters`. Without it, imports are off. */
export const ImportReader = Context.Reference<Read | undefined>("@lectern/core/ImportReader", {
  defaultValue: () => undefined
})
