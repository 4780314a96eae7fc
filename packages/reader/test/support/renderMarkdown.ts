/** Renders Markdown as a page does, without a server. */
import { type ContentPage, defaultCustomization, OrganizationId, SpaceId, UserId } from "@lectern/core"
import { boundedFromMarkdown } from "@lectern/formats/threads"
import { OpenApiDocument } from "@lectern/markdown/openapi"
import { Effect } from "effect"
import { makePieces, type Pieces } from "../../src/highlight/Pieces.ts"
import type { LoadedSpace, ReadableSite } from "../../src/site/ReadableSite.ts"
import { type RenderedContent, renderContent } from "../../src/site/renderContent.ts"
import { indexPages } from "../../src/source/PageIndex.ts"

const space: LoadedSpace = {
  id: SpaceId.make("space"),
  title: "Space",
  root: "",
  content: { space: SpaceId.make("space") },
  index: indexPages({ pages: [] as ReadonlyArray<ContentPage>, files: [] }),
  version: "1"
}

const site: ReadableSite = {
  kind: "published",
  identity: { id: UserId.make("visitor") },
  organization: OrganizationId.make("organization"),
  title: "Site",
  customization: defaultCustomization,
  structure: undefined,
  spaces: new Map([["space", space]]),
  publicUrl: "https://docs.example.com/",
  isIndexed: true,
  isPublic: true,
  isAdaptive: false
}

/** Renders Markdown. `openApi` is the document of every spec. */
export const renderMarkdown = (
  markdown: string,
  { pieces, openApi }: { readonly pieces?: Pieces; readonly openApi?: unknown } = {}
): Promise<RenderedContent> =>
  Effect.runPromise(
    renderContent(
      {
        origin: { site, space, pagePath: "page", from: "page" },
        document: boundedFromMarkdown(markdown),
        page: undefined,
        showsConditions: false
      },
      {
        pieces: (all) =>
          pieces === undefined
            ? Effect.succeed({ pieces: new Map(), isComplete: true })
            : Effect.promise(() => pieces.render(all, 30_000)),
        space: () => Effect.succeed(undefined),
        headings: () => Effect.succeed([]),
        openApi: () =>
          Effect.succeed(
            openApi === undefined
              ? undefined
              : { version: "1", document: new OpenApiDocument(openApi as OpenApiDocument["json"]) }
          )
      }
    )
  )

/** A renderer of code and formulas, which the caller closes. */
export const openPieces = makePieces
