/** Where imports are read: in the same thread, unless the host brings another, for large ones take a while. */
import { Context, Effect } from "effect"
import { outlineOf } from "../content/outline/Outline.ts"
import { readHtml } from "./html/readHtml.ts"
import { NotReadable, type Readers, type ReadingKind, type Readings } from "./Reading.ts"
import { readMarkdown } from "./readMarkdown.ts"
import { readSitemap } from "./sitemap.ts"
import { unzip } from "./unzip.ts"

const decoder = new TextDecoder()

/** Reads one thing. */
export type Read = <K extends ReadingKind>(
  kind: K,
  input: Readings[K]["in"]
) => Effect.Effect<Readings[K]["out"], NotReadable>

/** All readers that need nothing of a host. Documents of word processors need one: `@lectern/http` brings it. */
export const readers: Readers = {
  html: readHtml,
  markdown: readMarkdown,
  docx: () => {
    throw new NotReadable({
      message: "leads to a docx, which the host of this workspace brings no reader for"
    })
  },
  zip: unzip,
  outline: ({ bytes }) => outlineOf(decoder.decode(bytes)),
  sitemap: readSitemap
}

/** What reads. */
export const ImportReader = Context.Reference<Read>("@lectern/core/ImportReader", {
  defaultValue: () => (kind, input) =>
    Effect.tryPromise({
      try: async () => readers[kind](input),
      catch: (error) =>
        error instanceof NotReadable ? error : new NotReadable({ message: "leads to what cannot be read" })
    })
})
