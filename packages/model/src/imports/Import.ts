/** Imports: their input, their result and their limits. */

import * as Schema from "effect/Schema"
import { RevisionId } from "../content/Revision.ts"
import { resource } from "../schema/resource.ts"
import { Url } from "../schema/Url.ts"

/** The other documentation tools whose exports and repositories can be imported. */
export const otherSources = ["notion", "confluence", "docusaurus", "mkdocs", "mintlify", "outline"] as const

/** Another documentation tool. */
export const OtherSource = Schema.Literals(otherSources)

/** Another documentation tool. */
export type OtherSource = typeof OtherSource.Type

/** Whether a source is another documentation tool. */
export const isOtherSource: (source: unknown) => source is OtherSource = Schema.is(OtherSource)

/** The kinds of sources. The public contract has more, which require an account at another service. */
export const ImportSource = Schema.Literals([
  "website",
  "docx",
  "markdown",
  "html",
  "zip",
  "tarball",
  "git",
  "github-wiki",
  ...otherSources
]).annotate({
  identifier: "ImportSource",
  message:
    "must be one of website, markdown, html, docx, zip, tarball, git, github-wiki, " +
    `${otherSources.join(", ")}; this server cannot import from google-docs: export a docx there and import that`
})
/** The kind of a source. */
export type ImportSource = typeof ImportSource.Type

/** The source of an import. */
export class ImportContent extends resource<ImportContent>()(
  Schema.Struct({
    /**
     * The URL of the source: http or https, at most 2048 characters. It must be publicly reachable. For `git`, its fragment
     * is a branch or a tag.
     */
    url: Url,
    /** The kind of resource at the URL. */
    source: ImportSource
  }).annotate({ identifier: "ImportContent" })
) {}

/** The source of an import into a page: one document. */
export class ImportPageContent extends resource<ImportPageContent>()(
  Schema.Struct({
    /** The URL of the document: http or https, at most 2048 characters. It must be publicly reachable. */
    url: Url,
    /** The kind of document at the URL. Sources with several pages are imported into spaces. */
    source: Schema.Literals(["docx", "markdown", "html"]).annotate({
      message: "must be docx, markdown or html: import a source with several pages into the space"
    })
  }).annotate({ identifier: "ImportPageContent" })
) {}

/** The result of an import. */
export class ImportedContent extends resource<ImportedContent>()(
  Schema.Struct({
    /** The id of the revision that the import created. */
    revision: RevisionId,
    /** The number of pages and images that the revision contains from this import. */
    importedResources: Schema.Int,
    /** The number of pages and images that the import attempted, including failed and omitted ones. */
    totalResources: Schema.Int,
    /** URLs of the result. */
    urls: Schema.Struct({
      /** The URL of the revision in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "ImportedContent" })
) {}

const megabyte = 1024 * 1024

/** The limits of imports. Sizes are in bytes after decompression, and times in milliseconds. */
export const bounds = {
  /** The maximum number of pages of a website. */
  websitePages: 500,
  /** The maximum number of URLs of a website to fetch per page of its limit, because not all URLs are pages. */
  addressesPerPage: 2,
  /** The maximum number of pages of an archive. */
  archivePages: 10_000,
  /** The maximum number of files of an archive, including files that are not imported. */
  archiveFiles: 50_000,
  /** The maximum number of files of a repository that are imported in addition to its pages. */
  files: 10_000,
  /** The maximum size of the configuration of a repository. */
  configBytes: megabyte,
  /** The maximum size of a file of a repository. */
  fileBytes: 64 * megabyte,
  /** The maximum number of concurrent requests. */
  concurrency: 8,
  /** The timeout of the request for a page or an image. */
  pageMillis: 10_000,
  /** The timeout of the request for a document or an archive. */
  documentMillis: 60_000,
  /** The deadline of the import of a website. Pages that are not fetched by then are omitted. */
  websiteMillis: 240_000,
  /** The longest crawl delay that a website can request. */
  delayMillis: 10_000,
  /** The maximum size of a page. */
  pageBytes: 5 * megabyte,
  /** The maximum size of an image. */
  imageBytes: 5 * megabyte,
  /** The maximum number of images of an import. */
  images: 1000,
  /** The maximum total size of all images. */
  imagesBytes: 64 * megabyte,
  /** The maximum number of characters of all pages of a website with their URLs. Further pages are omitted. */
  texts: 32 * megabyte,
  /** The maximum transfer size of an archive or a document. */
  archiveBytes: 64 * megabyte,
  /** The maximum size of the list of the references of a Git repository. */
  gitReferencesBytes: 32 * megabyte,
  /** The maximum decompressed size of an archive. */
  unpackedBytes: 128 * megabyte,
  /** The maximum size of a robots.txt. */
  robotsBytes: megabyte / 2,
  /** The maximum size of a sitemap. */
  sitemapBytes: 5 * megabyte,
  /** The maximum number of sitemaps of a website. */
  sitemaps: 20,
  /** The maximum depth of pages. Deeper pages are placed at this depth. */
  depth: 16
} as const
