/**
 * Renders the document of a page in passes. A pass notes the parts that are not loaded yet: colored code, formulas, pages of
 * other spaces, and OpenAPI documents. They are loaded, and the next pass renders the document with them.
 */
import type { JsonDocument } from "@lectern/core"
import { anchorFinder, type FindAnchor, runInSteps, type Steps } from "@lectern/formats/threads"
import { Effect } from "effect"
import { partsOf, renderBlocks } from "../document/blocks.ts"
import type { DocumentContext, LinkRef, OutlineEntry, ResolvedLink } from "../document/DocumentContext.ts"
import { renderFootnotes } from "../document/footnotes.ts"
import { idsIn } from "../document/headings.ts"
import { computedPageParts } from "../document/openApiBlocks.ts"
import { Renderer } from "../document/Renderer.ts"
import { sanitizeMathMl } from "../highlight/mathMl.ts"
import { keyOfPiece, type RenderedPieces } from "../highlight/Pieces.ts"
import type { Piece, RenderedPiece } from "../highlight/protocol.ts"
import { fragment, Html } from "../html/Html.ts"
import { anchorUrl, relativeUrl } from "../html/urls.ts"
import { messagesOf } from "../page/messages.ts"
import type { LoadedSpec } from "../source/ContentLoader.ts"
import type { DocumentPage } from "../source/PageIndex.ts"
import { type LinkOrigin, resolveFile, resolveImage, resolveLink } from "./links.ts"
import type { LoadedSpace } from "./ReadableSite.ts"
import { reservedPath } from "./reservedPath.ts"

/** The maximum number of times that a document is rendered: what is loaded can need more. */
const maximumPasses = 4

/** The maximum number of other pages whose headings are loaded for the anchors of links. */
const maximumLinkedPages = 40

/** Loads what documents need. */
export interface ContentLoader<E> {
  readonly pieces: (pieces: ReadonlyArray<Piece>) => Effect.Effect<RenderedPieces>
  /** Loads a space of the site; `undefined` if the reader cannot see it. */
  readonly space: (id: string) => Effect.Effect<LoadedSpace | undefined, E>
  /** Loads the ids of the headings of a page that the reader can see. */
  readonly headings: (space: LoadedSpace, page: DocumentPage) => Effect.Effect<ReadonlyArray<string>, E>
  /** Loads an OpenAPI document by the slug of its spec or by its URL; `undefined` if the reader cannot see it. */
  readonly openApi: (source: string) => Effect.Effect<LoadedSpec | undefined, E>
}

/** The rendered content of a page. */
export interface RenderedContent {
  readonly content: Html
  readonly outline: ReadonlyArray<OutlineEntry>
  /** The other spaces that the content depends on. */
  readonly spaces: ReadonlyArray<LoadedSpace>
  /** The OpenAPI documents that the content depends on. The version of a missing one is `undefined`. */
  readonly specs: ReadonlyArray<SpecDependency>
  /** The origins of the servers that the visitor can send requests to from the page. */
  readonly origins: ReadonlyArray<string>
  /** Whether an element of the content has an id. */
  readonly hasId: (id: string) => boolean
  /** Whether everything was rendered in time. Otherwise, the page is not cached. */
  readonly isComplete: boolean
}

/** An OpenAPI document that a page depends on: its reference in the content, and its version. */
export interface SpecDependency {
  readonly source: string
  readonly version: string | undefined
}

/** The content to render. */
export interface ContentInput {
  readonly origin: Omit<LinkOrigin, "otherSpace">
  readonly document: JsonDocument
  readonly page: DocumentPage | undefined
  /** Whether blocks with conditions are displayed, with their conditions: in previews. */
  readonly showsConditions: boolean
}

/** Renders parts of a page one after the other. Other requests run between them. */
const renderParts = function* (parts: ReadonlyArray<() => Html>): Steps<Html> {
  const rendered: Array<Html> = []
  for (const render of parts) {
    rendered.push(render())
    yield
  }
  return fragment(rendered)
}

/** Renders the content of a page. */
export const renderContent = Effect.fnUntraced(function* <E>(
  { origin, document, page, showsConditions }: ContentInput,
  load: ContentLoader<E>
): Effect.fn.Return<RenderedContent, E> {
  const pieces = new Map<string, RenderedPiece>()
  const spaces = new Map<string, LoadedSpace | undefined>()
  const specs = new Map<string, LoadedSpec | undefined>()
  /** The functions that find the anchors of other pages. */
  const anchors = new Map<string, FindAnchor>()
  let isComplete = true
  const ids = idsIn(document.nodes)
  const findHeading = anchorFinder([...ids.headings, ...ids.anchors])
  /** Resolves a link. An anchor on the same page resolves to the heading that it means, however its id is derived. */
  const linkOf = (fullOrigin: LinkOrigin, ref: LinkRef): ResolvedLink | undefined => {
    const link = resolveLink(fullOrigin, ref)
    const heading = link?.href.startsWith("#") === true ? findHeading(link.href.slice(1)) : undefined
    return link === undefined || heading === undefined ? link : { ...link, href: anchorUrl(heading) }
  }
  const { customization } = origin.site
  const messages = messagesOf(customization.internationalization.locale)

  for (let pass = 1; ; pass++) {
    const missing = {
      pieces: new Map<string, Piece>(),
      spaces: new Set<string>(),
      specs: new Set<string>(),
      headings: new Map<string, readonly [LoadedSpace, DocumentPage]>()
    }
    const pieceOf = (piece: Piece): RenderedPiece => {
      const key = keyOfPiece(piece)
      if (!pieces.has(key)) missing.pieces.set(key, piece)
      return pieces.get(key) ?? null
    }
    const fullOrigin: LinkOrigin = {
      ...origin,
      otherSpace: (id) => {
        if (!origin.site.spaces.has(id)) return undefined
        if (!spaces.has(id)) missing.spaces.add(id)
        return spaces.get(id)
      },
      anchorOf: (space, target, anchor) => {
        if (target.id === page?.id) return findHeading(anchor) ?? anchor
        const key = `${space.id}/${target.id}`
        const find = anchors.get(key)
        if (find === undefined && anchors.size + missing.headings.size < maximumLinkedPages)
          missing.headings.set(key, [space, target])
        return find?.(anchor) ?? anchor
      }
    }
    const context: DocumentContext = {
      messages,
      link: (ref) => linkOf(fullOrigin, ref),
      image: (ref) => resolveImage(fullOrigin, ref),
      file: (ref) => resolveFile(fullOrigin, ref),
      code: (syntax, text) => {
        const rendered = syntax === undefined || text === "" ? null : pieceOf({ kind: "code", syntax, text })
        return typeof rendered === "string" || rendered === null ? undefined : rendered
      },
      math: (formula, isBlock) => {
        const rendered = pieceOf({ kind: "math", formula, isBlock })
        const sanitized = typeof rendered === "string" ? sanitizeMathMl(rendered) : undefined
        return sanitized === undefined ? undefined : Html.trusted(sanitized)
      },
      openApi: (source) => {
        if (!specs.has(source)) missing.specs.add(source)
        return specs.get(source)?.document
      },
      expression: () => undefined,
      searchUrl: (query) =>
        relativeUrl(
          origin.from,
          `${reservedPath}search${query === undefined ? "" : `?${new URLSearchParams({ q: query })}`}`
        ),
      opensNewTab: customization.externalLinks.target === "blank",
      showsConditions
    }
    const renderer = new Renderer(context, ids)
    const computed = page?.computed === undefined ? undefined : computedPageParts(renderer, page.computed)
    const content = yield* runInSteps(
      renderParts(
        computed ?? [
          ...partsOf(document.nodes).map((blocks) => () => renderBlocks(renderer, blocks)),
          () => renderFootnotes(renderer, document.data.footnotes)
        ]
      )
    )
    const isMissing = Object.values(missing).some(({ size }) => size > 0)
    if (!isMissing || pass >= maximumPasses) {
      const loadedSpaces = [...spaces.values()].filter((space) => space !== undefined)
      return {
        content,
        outline: renderer.outline,
        spaces: loadedSpaces,
        specs: Array.from(specs, ([source, spec]) => ({ source, version: spec?.version })),
        origins: renderer.origins,
        hasId: (id) => renderer.hasId(id),
        isComplete
      }
    }
    for (const id of missing.spaces) spaces.set(id, yield* load.space(id))
    for (const [key, target] of missing.headings)
      anchors.set(key, anchorFinder(yield* load.headings(...target)))
    for (const source of missing.specs) specs.set(source, yield* load.openApi(source))
    if (missing.pieces.size > 0) {
      const rendered = yield* load.pieces([...missing.pieces.values()])
      isComplete &&= rendered.isComplete
      for (const key of missing.pieces.keys()) pieces.set(key, rendered.pieces.get(key) ?? null)
    }
  }
})
