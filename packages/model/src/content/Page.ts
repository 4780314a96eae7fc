/** Pages of a space: documents, groups of pages, links, and pages that are computed from another source. */

import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, trimmed } from "../schema/Text.ts"
import { LinkUrl } from "../schema/Url.ts"
import { JsonDocument } from "./document/Document.ts"

/** The id of a page. */
export const PageId = idSchema("The id of a page.").pipe(Schema.brand("PageId"))
/** The id of a page. */
export type PageId = string & Brand.Brand<"PageId">

/** The type of a page. Groups exist at the root only; links and computed pages have no pages below them. */
export const PageType = Schema.Literals(["document", "group", "link", "computed"])
/** The type of a page. */
export type PageType = typeof PageType.Type

/** The title of a page, 1 to 256 characters. */
export const PageTitle = trimmed({ min: 1, max: 256 })

/** The segment of a page in paths, at most 100 characters. An empty slug is derived from the title. */
export const PageSlug = Schema.String.check(
  Schema.isPattern(/^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~+-]{0,100}$/u, {
    message: "must be at most 100 letters, digits and characters of -._~+"
  })
)

/** The location of a page or a file in a git repository. */
export class GitBlob extends resource<GitBlob>()(
  Schema.Struct({
    /** The hash of the blob, 1 to 100 characters. */
    oid: text({ min: 1, max: 100 }),
    /** The path in the repository, 1 to 4096 characters. */
    path: text({ min: 1, max: 4096 })
  })
) {}

const reference = text({ min: 1, max: 100 })
class ContentRefUrl extends resource<ContentRefUrl>()(
  Schema.Struct({
    /** The kind of the target: a URL. */
    kind: Schema.Literal("url"),
    /** The URL, 1 to 2048 characters. */
    url: text({ min: 1, max: 2048 })
  })
) {}
class ContentRefFile extends resource<ContentRefFile>()(
  Schema.Struct({
    /** The kind of the target: a file. */
    kind: Schema.Literal("file"),
    /** The id of the file. */
    file: reference
  })
) {}

class ContentRefPage extends resource<ContentRefPage>()(
  Schema.Struct({
    /** The kind of the target: a page. */
    kind: Schema.Literal("page"),
    /** The id of the page. */
    page: reference,
    /** The id of the space that the page is in. Absent for the space of the link. */
    space: Schema.optionalKey(reference)
  })
) {}
class ContentRefAnchor extends resource<ContentRefAnchor>()(
  Schema.Struct({
    /** The kind of the target: an anchor in a page. */
    kind: Schema.Literal("anchor"),
    /** The anchor of the heading without `#`, 1 to 500 characters. */
    anchor: text({ min: 1, max: 500 }),
    /** The id of the space that the page is in. Absent for the space of the link. */
    space: Schema.optionalKey(reference),
    /** The id of the page. Absent for the page of the link. */
    page: Schema.optionalKey(reference)
  })
) {}
class ContentRefUser extends resource<ContentRefUser>()(
  Schema.Struct({
    /** The kind of the target: a user. */
    kind: Schema.Literal("user"),
    /** The id of the user. */
    user: reference
  })
) {}
class ContentRefCollection extends resource<ContentRefCollection>()(
  Schema.Struct({
    /** The kind of the target: a collection. */
    kind: Schema.Literal("collection"),
    /** The id of the collection. */
    collection: reference
  })
) {}
class ContentRefSpace extends resource<ContentRefSpace>()(
  Schema.Struct({
    /** The kind of the target: a space. */
    kind: Schema.Literal("space"),
    /** The id of the space. */
    space: reference
  })
) {}
class ContentRefReusableContent extends resource<ContentRefReusableContent>()(
  Schema.Struct({
    /** The kind of the target: a reusable content. */
    kind: Schema.Literal("reusable-content"),
    /** The id of the reusable content. */
    reusableContent: reference,
    /** The id of the space that the reusable content is in. Absent for the space of the link. */
    space: Schema.optionalKey(reference)
  })
) {}
class ContentRefOpenApi extends resource<ContentRefOpenApi>()(
  Schema.Struct({
    /** The kind of the target: an OpenAPI spec. */
    kind: Schema.Literal("openapi"),
    /** The slug or the id of the spec. */
    spec: reference
  })
) {}

/** The target of a link: a resource of the workspace or a URL. */
export const ContentRef: Schema.Codec<ContentRef> = Schema.Union([
  ContentRefUrl,
  ContentRefFile,
  ContentRefPage,
  ContentRefAnchor,
  ContentRefUser,
  ContentRefCollection,
  ContentRefSpace,
  ContentRefReusableContent,
  ContentRefOpenApi
]).annotate({ identifier: "ContentRef" })
/** The target of a link. */
export type ContentRef =
  | ContentRefUrl
  | ContentRefFile
  | ContentRefPage
  | ContentRefAnchor
  | ContentRefUser
  | ContentRefCollection
  | ContentRefSpace
  | ContentRefReusableContent
  | ContentRefOpenApi

/** The target of an image. */
export type ImageRef = ContentRefFile | ContentRefUrl
const ImageRef: Schema.Codec<ImageRef> = Schema.Union([ContentRefFile, ContentRefUrl])

/** A target of the links of a page for search engines: a page or a URL. */
const MetaLinkTarget = Schema.Union([ContentRefPage, ContentRefUrl])

/** The maximum number of alternates of a page. */
const maximumAlternates = 100

/** Whether a URL can be a link of a page for search engines: an absolute HTTP or HTTPS URL without user information. */
export const isMetaUrl: (url: string) => boolean = Schema.is(LinkUrl)

/**
 * The links of a page for search engines. URLs are absolute HTTP or HTTPS URLs without user information. Targets can be missing: a
 * reader omits links to pages that it does not display.
 */
export class PageMetaLinks extends resource<PageMetaLinks>()(
  Schema.Struct({
    /** The page or the URL that search engines list instead of the page. Absent for the page itself. */
    canonical: Schema.optionalKey(MetaLinkTarget),
    /** The pages or URLs with the same content, for example in other languages: at most 100. Absent for none. */
    alternates: Schema.optionalKey(
      Schema.Array(MetaLinkTarget).check(
        Schema.isMaxLength(maximumAlternates, { message: `must be at most ${maximumAlternates} links` })
      )
    )
  }).annotate({ identifier: "PageMetaLinks" })
) {}

/** The cover image of a page. */
export class PageCover extends resource<PageCover>()(
  Schema.Struct({
    /** The image: a file or a URL. Absent if it is not set. */
    ref: Schema.optionalKey(ImageRef),
    /** The image for the dark theme. Absent to use `ref`. */
    refDark: Schema.optionalKey(ImageRef),
    /** The vertical position of the visible part of the image. */
    yPos: Schema.Finite
  })
) {}

/** The layout of a page. */
export class PageLayout extends resource<PageLayout>()(
  Schema.Struct({
    /** The width of the content. */
    width: Schema.Literals(["default", "wide"]),
    /** Whether the cover image is visible. */
    cover: Schema.Boolean,
    /** The size of the cover image. */
    coverSize: Schema.Literals(["hero", "full"]),
    /** The mask of the cover image: always `none`. */
    coverMask: Schema.Literal("none"),
    /** Whether the title is visible. */
    title: Schema.Boolean,
    /** Whether the description is visible. */
    description: Schema.Boolean,
    /** Whether the table of contents of the space is visible. */
    tableOfContents: Schema.Boolean,
    /** Whether the outline of the page is visible. */
    outline: Schema.Boolean,
    /** Whether links to the previous and the next page are visible. */
    pagination: Schema.Boolean,
    /** Whether the metadata of the page, such as its last update, are visible. */
    metadata: Schema.Boolean,
    /** Whether tags are visible: always false, because pages have no tags. */
    tags: Schema.Boolean,
    /** Whether the actions of the page are visible: always true. */
    actions: Schema.Boolean,
    /** Whether headings have links to themselves: always true. */
    anchors: Schema.Boolean
  }).annotate({ identifier: "PageLayout" })
) {}

/** The source that a computed page is computed from. */
export class ComputedSource extends resource<ComputedSource>()(
  Schema.Struct({
    /** The type of the source: an OpenAPI spec. */
    type: Schema.Literal("builtin:openapi"),
    /** The resources that the source depends on. */
    dependencies: Schema.Struct({
      /** The OpenAPI spec. */
      spec: Schema.Struct({
        /** The reference to the spec. */
        ref: Schema.Struct({
          /** The kind of the reference: an OpenAPI spec. */
          kind: Schema.Literal("openapi"),
          /** The id or the slug of the spec, 1 to 100 characters. */
          spec: reference
        })
      })
    }),
    /** The parts of the spec that pages are computed for. */
    props: Schema.Struct({
      /** Whether to include pages of models. True by default. */
      models: Schema.optionalKey(Schema.Boolean),
      /** The kind of pages to include. Absent for all kinds. */
      doc: Schema.optionalKey(Schema.Literals(["models", "operations", "info"])),
      /** The key of the only page to include, 1 to 500 characters. Absent for all pages. */
      page: Schema.optionalKey(text({ min: 1, max: 500 }))
    })
  }).annotate({ identifier: "ComputedSource" })
) {}

const common = {
  /** The id of the page. */
  id: PageId,
  /**
   * The condition on the claims of visitors under which they can see the page and the pages below it. Absent when all
   * visitors can, and for visitors.
   */
  condition: Schema.optionalKey(Schema.String),
  /** The title of the page, 1 to 256 characters. */
  title: Schema.String,
  /** The emoji of the page: a character, or its code points in hexadecimal. Absent if it is not set. */
  emoji: Schema.optionalKey(Schema.String),
  /** The name of the icon of the page. Absent if it is not set. */
  icon: Schema.optionalKey(Schema.String),
  /** When the page was created. */
  createdAt: Schema.optionalKey(Timestamp),
  /** When the page was last updated. */
  updatedAt: Schema.optionalKey(Timestamp)
}

const cut = {
  /** Whether the response omits subpages of the page, because of the parameter `depth`. Absent if it omits none. */
  hasPages: Schema.optionalKey(Schema.Boolean)
}

const visibility = {
  /** Whether the page is hidden from the table of contents, search and PDF exports. */
  hidden: Schema.optionalKey(Schema.Boolean),
  /** Whether the page is marked as excluded from search. Lectern stores the mark; its own search ignores it. */
  noIndex: Schema.optionalKey(Schema.Boolean),
  /** Whether the page is marked as excluded from external search engines. Lectern stores the mark for renderers. */
  noRobotsIndex: Schema.optionalKey(Schema.Boolean)
}

/** The fields of a page with a body. */
const documentFields = {
  ...common,
  /** The kind of the page: always `sheet` for documents. */
  kind: Schema.Literal("sheet"),
  /** The type of the page: a document. */
  type: Schema.Literal("document"),
  /** URLs of the page. */
  urls: Schema.Struct({
    /** The URL of the page in the application. */
    app: Schema.String
  }),
  /** The segment of the page in paths, at most 100 characters. */
  slug: Schema.String,
  /** The path of the page: slugs from the root, separated by slashes. */
  path: Schema.String,
  /** The description of the page, at most 2000 characters. Absent if it is not set. */
  description: Schema.optionalKey(Schema.String),
  /** An identifier of the body, which changes with its text. Absent for an empty body. */
  documentId: Schema.optionalKey(Schema.String),
  /** The body as Markdown. Present if `format` is `markdown`. */
  markdown: Schema.optionalKey(Schema.String),
  /** The body as a document. Present if `format` is `document`. */
  document: Schema.optionalKey(JsonDocument),
  /** The location of the page in a git repository. Absent if it is not set, or if `metadata` is false. */
  git: Schema.optionalKey(GitBlob),
  /** The layout of the page. */
  layout: PageLayout,
  /** The tags of the page: none, because pages have no tags. */
  tags: Schema.Array(Schema.String),
  /** The cover image of the page. Absent if it is not set. */
  cover: Schema.optionalKey(PageCover),
  /** The links of the page for search engines. Absent if none is set. */
  metaLinks: Schema.optionalKey(PageMetaLinks),
  /** The source that the page is computed from. Absent for pages that are not computed. */
  computed: Schema.optionalKey(ComputedSource),
  /** The version of the source that the page is computed from. Absent for pages that are not computed. */
  computedSeed: Schema.optionalKey(Schema.String),
  ...cut,
  ...visibility
}

const groupFields = {
  ...common,
  /** The kind of the page: always `group` for groups. */
  kind: Schema.Literal("group"),
  /** The type of the page: a group of pages. */
  type: Schema.Literal("group"),
  /** The segment of the group in paths, at most 100 characters. */
  slug: Schema.String,
  /** The path of the group: slugs from the root, separated by slashes. */
  path: Schema.String,
  ...cut,
  ...visibility
}

class LinkPage extends resource<LinkPage>()(
  Schema.Struct({
    ...common,
    /** The kind of the page: always `link` for links. */
    kind: Schema.Literal("link"),
    /** The type of the page: a link. */
    type: Schema.Literal("link"),
    /** The target of the link. */
    target: ContentRef,
    /** The URL of the target. Present if the target is a URL. */
    href: Schema.optionalKey(Schema.String),
    /** Whether the link is hidden from the table of contents. */
    hidden: Schema.optionalKey(Schema.Boolean)
  })
) {}

class ComputedPage extends resource<ComputedPage>()(
  Schema.Struct({
    ...common,
    /** The type of the page: a computed page that is not expanded. */
    type: Schema.Literal("computed"),
    /** The source that pages are computed from. */
    computed: ComputedSource
  })
) {}

/** A page with the pages below it. */
export type Page =
  | (Schema.Struct.Type<typeof documentFields> & { readonly pages: ReadonlyArray<Page> })
  | (Schema.Struct.Type<typeof groupFields> & { readonly pages: ReadonlyArray<Page> })
  | LinkPage
  | ComputedPage

/** The pages of content in their tree. */
export interface PageTree {
  /** The pages at the root, in order, each with the pages below it. */
  readonly pages: ReadonlyArray<Page>
}

const pages = Schema.Array(Schema.suspend((): Schema.Codec<Page, unknown> => Page))

/** The schema of a page with the pages below it. */
export const Page: Schema.Codec<Page, unknown> = Schema.Union([
  Schema.Struct({
    ...documentFields,
    /** The pages below this page, in order. */
    pages
  }),
  Schema.Struct({
    ...groupFields,
    /** The pages below this group, in order. */
    pages
  }),
  LinkPage,
  ComputedPage
]).annotate({ identifier: "Page", description: "A page with the pages below it." })
