/** Loads content on behalf of a reader: spaces with their pages, bodies of pages, and OpenAPI documents. */
import {
  Content,
  type ContentOf,
  CurrentUser,
  catchUnreadable,
  type Identity,
  type JsonDocument,
  MarkdownEngine,
  NotFound,
  PublishedContent,
  ReferencedSpecs,
  type StorageUnavailable
} from "@lectern/core"
import { rewriteLinks } from "@lectern/core/content"
import { boundedFromMarkdown } from "@lectern/formats/threads"
import { isObject, OpenApiDocument } from "@lectern/markdown/openapi"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { LoadedSpace, SpaceOnSite } from "../site/ReadableSite.ts"
import { type DocumentPage, indexPages } from "./PageIndex.ts"

/** Markdown above this length is parsed in a thread, if the host has one. */
const maximumInlineLength = 4_000

/** The number of OpenAPI documents that are cached, by their version. */
const maximumCachedSpecs = 20

/** An OpenAPI document with its version. */
export interface LoadedSpec {
  readonly document: OpenApiDocument
  /** Equal versions have equal documents. */
  readonly version: string
}

/** Succeeds with `undefined` for content that does not exist or that the reader cannot see. */
export const orUndefined = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E | StorageUnavailable, R>
): Effect.Effect<A | undefined, StorageUnavailable, R> =>
  Effect.catch(effect, (error) =>
    error._tag === "StorageUnavailable" ? Effect.fail(error as StorageUnavailable) : Effect.succeed(undefined)
  )

/** A document that displays Markdown as it is written, because parsing it takes too long. */
const verbatimDocument = (markdown: string): JsonDocument => ({
  object: "document",
  data: {},
  nodes: [
    {
      object: "block",
      type: "code",
      data: { markdown: "verbatim" },
      nodes: [
        {
          object: "block",
          type: "code-line",
          data: {},
          nodes: [{ object: "text", leaves: [{ object: "leaf", text: markdown, marks: [] }] }]
        }
      ]
    }
  ]
})

/** Fails with `NotFound` for content that does not exist or that the reader cannot see. */
export const orNotFound = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E | StorageUnavailable, R>
): Effect.Effect<A, NotFound | StorageUnavailable, R> =>
  Effect.catch(effect, (error) =>
    Effect.fail(error._tag === "StorageUnavailable" ? (error as StorageUnavailable) : NotFound.of("page"))
  )

/** Creates the loader of a workspace. */
export const makeContentLoader = Effect.gen(function* () {
  const content = yield* Content
  const published = yield* PublishedContent
  const specs = yield* ReferencedSpecs
  const convert = yield* MarkdownEngine
  const documents = new LRUCache<string, OpenApiDocument>({ max: maximumCachedSpecs })

  const as =
    (identity: Identity) =>
    <A, E>(effect: Effect.Effect<A, E, CurrentUser>): Effect.Effect<A, E> =>
      Effect.provideService(effect, CurrentUser, identity)

  return {
    as,

    /** Returns a string that identifies everything that pages of the content display for the reader. */
    version: (identity: Identity, contentOf: ContentOf) =>
      Effect.map(
        orNotFound(as(identity)(published.getVersion.decoded({ content: contentOf }))),
        ({ version }) => version
      ),

    /** Loads a space with its pages. */
    space: Effect.fnUntraced(function* (identity: Identity, space: SpaceOnSite) {
      const [version, revision] = yield* orNotFound(
        as(identity)(
          Effect.all([
            published.getVersion.decoded({ content: space.content }),
            content.getRevision.decoded({ content: space.content, input: {} })
          ])
        )
      )
      return { ...space, index: indexPages(revision), version: version.version } satisfies LoadedSpace
    }),

    /** Loads the body of a page as Markdown, with inclusions expanded and conditions evaluated for visitors. */
    markdown: (identity: Identity, contentOf: ContentOf, page: DocumentPage) =>
      Effect.map(
        orNotFound(
          as(identity)(
            content.getPage.decoded({ content: contentOf, page: page.id, input: { format: "markdown" } })
          )
        ),
        (found) => ("markdown" in found ? (found.markdown ?? "") : "")
      ),

    /** Parses Markdown. Long Markdown is parsed in a thread, because adversarial Markdown takes long. */
    parse: (markdown: string): Effect.Effect<JsonDocument, StorageUnavailable> =>
      markdown.length <= maximumInlineLength
        ? Effect.sync(() => boundedFromMarkdown(markdown))
        : catchUnreadable(convert("document", { bytes: new TextEncoder().encode(markdown) }), () =>
            Effect.succeed(verbatimDocument(markdown))
          ),

    /**
     * Replaces the destinations of links in Markdown. Long Markdown is parsed in threads. Markdown that takes too long keeps its links.
     */
    relink: (
      markdown: string,
      destinationOf: (url: string) => string | undefined
    ): Effect.Effect<string, StorageUnavailable> => {
      if (markdown.length <= maximumInlineLength) {
        return Effect.sync(() => rewriteLinks(markdown, ({ url }) => destinationOf(url)))
      }
      const bytes = new TextEncoder().encode(markdown)
      const relinked = Effect.flatMap(convert("destinations", { bytes }), (found) => {
        const links = new Map<string, string>()
        for (const url of found) {
          const destination = destinationOf(url)
          if (destination !== undefined) links.set(url, destination)
        }
        return links.size === 0 ? Effect.succeed(markdown) : convert("relink", { bytes, links })
      })
      return catchUnreadable(relinked, () => Effect.succeed(markdown))
    },

    /** Loads an OpenAPI document that a page displays; `undefined` if the reader cannot see it. */
    openApi: (identity: Identity, contentOf: ContentOf, page: DocumentPage, source: string) =>
      orUndefined(
        Effect.map(
          as(identity)(specs.get({ content: contentOf, page: page.id, spec: source })),
          ({ version, document: json, url }): LoadedSpec | undefined => {
            const key = `${version} ${url ?? ""}`
            const cached = documents.get(key)
            if (cached !== undefined) return { document: cached, version }
            if (!isObject(json)) return undefined
            const document = new OpenApiDocument(json, { url })
            documents.set(key, document)
            return { document, version }
          }
        )
      ),

    /** Returns the version of an OpenAPI document that a page displays; `undefined` if the reader cannot see it. */
    openApiVersion: (identity: Identity, contentOf: ContentOf, page: DocumentPage, source: string) =>
      Effect.map(
        orUndefined(as(identity)(specs.getVersion({ content: contentOf, page: page.id, spec: source }))),
        (found) => found?.version
      )
  }
})

/** Loads content on behalf of a reader. */
export interface ContentLoader extends Effect.Success<typeof makeContentLoader> {}
