/** The port to what reads the bytes of imports into pages. */
import { Context, type Effect } from "effect"
import type { NotReadable, ReadingKind, Readings } from "./Reading.ts"

/**
 * Reads one page, document, archive, sitemap or outline. It ends after bounded CPU time and memory whatever the bytes
 * are, and leaves the event loop to others.
 */
export type Read = <K extends ReadingKind>(
  kind: K,
  input: Readings[K]["in"]
) => Effect.Effect<Readings[K]["out"], NotReadable>

/** The reader of this workspace: `importReader()` of `@lectern/converters`. Without one, imports are off. */
export const ImportReader = Context.Reference<Read | undefined>("@lectern/core/ImportReader", {
  defaultValue: () => undefined
})
