/** Imports: their input, their result and their limits (decision D12). */

import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { RevisionId } from "../content/Revision.ts"

/** The kinds of sources. The public contract has more, which require an account at another service. */
export const ImportSource = Schema.Literals([
  "website",
  "docx",
  "markdown",
  "html",
  "zip",
  "github-wiki"
]).annotate({
  identifier: "ImportSource",
  message:
    "must be one of website, markdown, html, docx, zip and github-wiki; this server cannot import from confluence, " +
    "notion and google-docs: export a zip or docx there and import that"
})
/** The kind of a source. */
export type ImportSource = typeof ImportSource.Type

/** The source of an import. */
export class ImportContent extends resource<ImportContent>()(
  Schema.Struct({
    /** The URL of the source: http or https, at most 2048 characters. It must be publicly reachable. */
    url: Url,
    /** The kind of resource at the URL. */
    source: ImportSource
  }).annotate({ identifier: "ImportContent" })
) {}

/** The result of an import. */
export class ImportedContent extends resource<ImportedContent>()(
  Schema.Struct({
    /** The id of the revision that the import created. */
    revision: RevisionId,
    /** The number of pages and images that the revision contains from this import. */
    importedResources: Schema.Int,
    /** The number of pages and images that the import attempted, including those that failed or were left out. */
    totalResources: Schema.Int,
    /** URLs of the result. */
    urls: Schema.Struct({
      /** The URL of the revision in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "ImportedContent" })
) {}

const megabyte = 1024 * 1024

/** Limits of an import. Bytes are counted after decompression; times are in milliseconds. */
export const bounds = {
  /** The most pages of a website (decision D12). */
  websitePages: 500,
  /** The most URLs of a website that are fetched, including those that are not pages. */
  websiteAddresses: 1000,
  /** The most pages of an archive. */
  archivePages: 1000,
  /** How many requests run concurrently. */
  concurrency: 8,
  /** The timeout of the request for a page or an image. */
  pageMillis: 10_000,
  /** The timeout of the request for a document or an archive. */
  documentMillis: 60_000,
  /** The deadline of a whole website; pages that are missing by then are left out. */
  websiteMillis: 240_000,
  /** The longest crawl delay that a website can request. */
  delayMillis: 10_000,
  /** The most bytes of a page. */
  pageBytes: 5 * megabyte,
  /** The most bytes of an image. */
  imageBytes: 5 * megabyte,
  /** The most images of an import. */
  images: 1000,
  /** The most bytes of all images together. */
  imagesBytes: 64 * megabyte,
  /** The most characters of all texts of a website with their URLs; pages beyond that are left out. */
  texts: 32 * megabyte,
  /** The most bytes of an archive or a document as it is transferred. */
  archiveBytes: 64 * megabyte,
  /** The most bytes that an archive unpacks to. */
  unpackedBytes: 128 * megabyte,
  /** The most bytes of a robots.txt. */
  robotsBytes: megabyte / 2,
  /** The most bytes of a sitemap. */
  sitemapBytes: 5 * megabyte,
  /** The most sitemaps of a website. */
  sitemaps: 20,
  /** How deep pages can be nested; deeper pages are placed at this depth. */
  depth: 16
} as const
