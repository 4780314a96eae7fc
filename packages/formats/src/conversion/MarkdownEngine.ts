/** The port through which pages are converted from and to Markdown when they are saved and read. */
import {
  boundedFromMarkdown,
  type RevertedMarkdown,
  revertMarkdown,
  rewriteLinks,
  updateMarkdown
} from "@lectern/markdown/document"
import { type Outline, outlineOf } from "@lectern/markdown/outline"
import type { JsonDocument } from "@lectern/model/document"
import { Context, Effect } from "effect"
import { NotReadable } from "./NotReadable.ts"

/** The input and the result of each conversion. Markdown is in UTF-8. */
export interface MarkdownConversions {
  /** The outline of Markdown that an import or an edit writes. */
  readonly outline: { readonly in: { readonly bytes: Uint8Array }; readonly out: Outline }
  /** The document of Markdown that a caller requests. */
  readonly document: { readonly in: { readonly bytes: Uint8Array }; readonly out: JsonDocument }
  /** The Markdown of a document that is written over Markdown, with few changes. */
  readonly update: {
    readonly in: { readonly bytes: Uint8Array; readonly document: JsonDocument }
    readonly out: string
  }
  /** Markdown whose blocks with these keys are reverted to an earlier version of it. */
  readonly revert: {
    readonly in: {
      readonly bytes: Uint8Array
      readonly base: Uint8Array
      readonly keys: ReadonlyArray<string>
    }
    readonly out: RevertedMarkdown
  }
  /** The destinations of the links, images, definitions, tags and elements of Markdown, each once. */
  readonly destinations: { readonly in: { readonly bytes: Uint8Array }; readonly out: ReadonlyArray<string> }
  /** Markdown whose destinations are replaced by others. */
  readonly relink: {
    readonly in: { readonly bytes: Uint8Array; readonly links: ReadonlyMap<string, string> }
    readonly out: string
  }
}

/** A conversion of Markdown. */
export type MarkdownConversion = keyof MarkdownConversions

/** The function of each conversion on the calling thread. */
export const markdownConversions: {
  readonly [K in MarkdownConversion]: (input: MarkdownConversions[K]["in"]) => MarkdownConversions[K]["out"]
} = {
  outline: ({ bytes }) => outlineOf(decode(bytes)),
  document: ({ bytes }) => boundedFromMarkdown(decode(bytes)),
  update: ({ bytes, document }) => updateMarkdown(decode(bytes), document),
  revert: ({ bytes, base, keys }) => revertMarkdown(decode(bytes), decode(base), keys),
  destinations: ({ bytes }) => {
    const found = new Set<string>()
    rewriteLinks(decode(bytes), ({ url }) => void found.add(url))
    return [...found]
  },
  relink: ({ bytes, links }) => rewriteLinks(decode(bytes), ({ url }) => links.get(url))
}

const decoder = new TextDecoder()

const decode = (bytes: Uint8Array): string => decoder.decode(bytes)

/**
 * Converts Markdown that is not cheap to parse. Fails with `NotReadable` if the conversion exceeds its limits. It must
 * terminate in bounded CPU time and memory for any input.
 */
export type ConvertMarkdown = <K extends MarkdownConversion>(
  conversion: K,
  input: MarkdownConversions[K]["in"]
) => Effect.Effect<MarkdownConversions[K]["out"], NotReadable>

/**
 * Converts on the event loop. The parser bounds the time: it returns Markdown over `maximumParseCost`, a quarter of a second
 * of CPU time, as one block of text.
 */
export const convertInline: ConvertMarkdown = (conversion, input) =>
  Effect.try({
    try: () => markdownConversions[conversion](input),
    catch: () => new NotReadable({ message: "points to Markdown that cannot be converted" })
  })

/**
 * The Markdown engine of a workspace. By default it converts on the event loop; `markdownEngine()` of `@lectern/converters`
 * converts in worker threads, so that no page delays other requests.
 */
export const MarkdownEngine = Context.Reference<ConvertMarkdown>("@lectern/core/MarkdownEngine", {
  defaultValue: () => convertInline
})
