/** An import: what is asked for, what comes of it, and how much of anything it takes (decision D12). */
import { Schema } from "effect"
import { Url } from "../../kernel/schema/Url.ts"
import { RevisionId } from "../content/Revision.ts"

/** What can be imported. The public contract names more, which need an account elsewhere. */
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
    "must be one of website, markdown, html, docx, zip and github-wiki; confluence, notion and google-docs are not " +
    "imported by this server: export from there, and import the zip or the docx"
})
export type ImportSource = typeof ImportSource.Type

/** What to import: an address, and what it leads to. */
export const ImportContent = Schema.Struct({
  url: Url,
  source: ImportSource
}).annotate({ identifier: "ImportContent" })
export type ImportContent = typeof ImportContent.Type

/**
 * What came of an import: the one revision that it made, and its resources (pages and images), counted: those that
 * were tried, and those of them that are in the revision.
 */
export const ImportedContent = Schema.Struct({
  revision: RevisionId,
  importedResources: Schema.Int,
  totalResources: Schema.Int,
  urls: Schema.Struct({ location: Schema.String })
}).annotate({ identifier: "ImportedContent" })
export type ImportedContent = typeof ImportedContent.Type

const megabyte = 1024 * 1024

/** How much an import takes. Bytes are after decompression; times are in milliseconds. */
export const bounds = {
  /** Pages of a website (decision D12). */
  websitePages: 500,
  /** Addresses of a website that are tried, those that turn out to be none of its pages too. */
  websiteAddresses: 1000,
  /** Pages of an archive. */
  archivePages: 1000,
  /** How many are fetched at a time. */
  concurrency: 8,
  /** How long a page or an image may take to come. */
  pageMillis: 10_000,
  /** How long a document or an archive may take to come. */
  documentMillis: 60_000,
  /** How long a website may take in all; what is not there by then is left out. */
  websiteMillis: 240_000,
  /** The longest pause between two requests that a website can ask for. */
  delayMillis: 10_000,
  pageBytes: 5 * megabyte,
  imageBytes: 5 * megabyte,
  images: 1000,
  /** All images together. */
  imagesBytes: 64 * megabyte,
  /** All texts of a website with their addresses, in characters; pages beyond that are left out. */
  texts: 32 * megabyte,
  /** An archive or a document, as it comes. */
  archiveBytes: 64 * megabyte,
  /** What an archive unpacks to. */
  unpackedBytes: 128 * megabyte,
  robotsBytes: megabyte / 2,
  sitemapBytes: 5 * megabyte,
  sitemaps: 20,
  /** How deep pages are nested: what is deeper stands at this depth. */
  depth: 16
} as const
