/** A page of a space: a document, a group of pages, a link, or pages that are computed from something else. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Timestamp, text, trimmed } from "../../kernel/schema/Text.ts"
import { JsonDocument } from "./document/Document.ts"

export const PageId = idSchema("The id of a page.").pipe(Schema.brand("PageId"))
export type PageId = typeof PageId.Type

/** What a page is. Groups stand at the root alone; links and computed pages have no pages below them. */
export const PageType = Schema.Literals(["document", "group", "link", "computed"])
export type PageType = typeof PageType.Type

/** The title of a page, 1 to 256 characters. */
export const PageTitle = trimmed({ min: 1, max: 256 })

/** The part of a page's path that is its own, at most 100 characters. An empty one is made from the title. */
export const PageSlug = Schema.String.check(
  Schema.isPattern(/^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~+-]{0,100}$/u, {
    message: "must be at most 100 letters, digits and characters of -._~+"
  })
)

/** Where something came from in a git repository. */
export class GitBlob extends Schema.Opaque<GitBlob>()(
  Schema.Struct({ oid: text({ min: 1, max: 100 }), path: text({ min: 1, max: 4096 }) })
) {}

const reference = text({ min: 1, max: 100 })
const ContentRefUrl = Schema.Struct({ kind: Schema.Literal("url"), url: text({ min: 1, max: 2048 }) })
const ContentRefFile = Schema.Struct({ kind: Schema.Literal("file"), file: reference })

/** What a link points to: something in the workspace, or an address. */
export const ContentRef = Schema.Union([
  ContentRefUrl,
  ContentRefFile,
  Schema.Struct({ kind: Schema.Literal("page"), page: reference, space: Schema.optionalKey(reference) }),
  Schema.Struct({
    kind: Schema.Literal("anchor"),
    anchor: text({ min: 1, max: 500 }),
    space: Schema.optionalKey(reference),
    page: Schema.optionalKey(reference)
  }),
  Schema.Struct({ kind: Schema.Literal("user"), user: reference }),
  Schema.Struct({ kind: Schema.Literal("collection"), collection: reference }),
  Schema.Struct({ kind: Schema.Literal("space"), space: reference }),
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    reusableContent: reference,
    space: Schema.optionalKey(reference)
  }),
  Schema.Struct({ kind: Schema.Literal("openapi"), spec: reference })
]).annotate({ identifier: "ContentRef" })
export type ContentRef = typeof ContentRef.Type

/** An image above a page; `yPos` is the vertical position of what of it is seen. */
export class PageCover extends Schema.Opaque<PageCover>()(
  Schema.Struct({
    ref: Schema.optionalKey(Schema.Union([ContentRefFile, ContentRefUrl])),
    refDark: Schema.optionalKey(Schema.Union([ContentRefFile, ContentRefUrl])),
    yPos: Schema.Finite
  })
) {}

/** Which parts of a page are visible. */
export class PageLayout extends Schema.Opaque<PageLayout>()(
  Schema.Struct({
    width: Schema.Literals(["default", "wide"]),
    cover: Schema.Boolean,
    coverSize: Schema.Literals(["hero", "full"]),
    title: Schema.Boolean,
    description: Schema.Boolean,
    tableOfContents: Schema.Boolean,
    outline: Schema.Boolean,
    pagination: Schema.Boolean,
    metadata: Schema.Boolean
  }).annotate({ identifier: "PageLayout" })
) {}

/** What the pages of a computed page are made from. */
export class ComputedSource extends Schema.Opaque<ComputedSource>()(
  Schema.Struct({
    type: Schema.Literal("builtin:openapi"),
    dependencies: Schema.Struct({
      spec: Schema.Struct({ ref: Schema.Struct({ kind: Schema.Literal("openapi"), spec: reference }) })
    }),
    props: Schema.Struct({
      models: Schema.optionalKey(Schema.Boolean),
      doc: Schema.optionalKey(Schema.Literals(["models", "operations", "info"])),
      page: Schema.optionalKey(text({ min: 1, max: 500 }))
    })
  }).annotate({ identifier: "ComputedSource" })
) {}

const common = {
  id: PageId,
  title: Schema.String,
  emoji: Schema.optionalKey(Schema.String),
  icon: Schema.optionalKey(Schema.String),
  createdAt: Schema.optionalKey(Timestamp),
  updatedAt: Schema.optionalKey(Timestamp)
}

const visibility = {
  hidden: Schema.optionalKey(Schema.Boolean),
  noIndex: Schema.optionalKey(Schema.Boolean),
  noRobotsIndex: Schema.optionalKey(Schema.Boolean)
}

/** A page with a body. `markdown` or `document` is there where it was asked for in that format. */
const documentFields = {
  ...common,
  kind: Schema.Literal("sheet"),
  type: Schema.Literal("document"),
  urls: Schema.Struct({ app: Schema.String }),
  slug: Schema.String,
  path: Schema.String,
  description: Schema.optionalKey(Schema.String),
  documentId: Schema.optionalKey(Schema.String),
  markdown: Schema.optionalKey(Schema.String),
  document: Schema.optionalKey(JsonDocument),
  git: Schema.optionalKey(GitBlob),
  layout: PageLayout,
  cover: Schema.optionalKey(PageCover),
  computed: Schema.optionalKey(ComputedSource),
  computedSeed: Schema.optionalKey(Schema.String),
  ...visibility
}

const groupFields = {
  ...common,
  kind: Schema.Literal("group"),
  type: Schema.Literal("group"),
  slug: Schema.String,
  path: Schema.String,
  ...visibility
}

const LinkPage = Schema.Struct({
  ...common,
  kind: Schema.Literal("link"),
  type: Schema.Literal("link"),
  target: ContentRef,
  href: Schema.optionalKey(Schema.String),
  hidden: Schema.optionalKey(Schema.Boolean)
})

const ComputedPage = Schema.Struct({
  ...common,
  type: Schema.Literal("computed"),
  computed: ComputedSource
})

/** A page, as the specification shows one, with the pages below it. */
export type Page =
  | (Schema.Struct.Type<typeof documentFields> & { readonly pages: ReadonlyArray<Page> })
  | (Schema.Struct.Type<typeof groupFields> & { readonly pages: ReadonlyArray<Page> })
  | typeof LinkPage.Type
  | typeof ComputedPage.Type

/** The pages of content in their tree. */
export interface PageTree {
  /** The pages at the root, in order, each with the pages below it. */
  readonly pages: ReadonlyArray<Page>
}

const pages = Schema.Array(Schema.suspend((): Schema.Codec<Page, unknown> => Page))

export const Page: Schema.Codec<Page, unknown> = Schema.Union([
  Schema.Struct({ ...documentFields, pages }),
  Schema.Struct({ ...groupFields, pages }),
  LinkPage,
  ComputedPage
]).annotate({ identifier: "Page", description: "A page with the pages below it." })
