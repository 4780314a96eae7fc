/** Imports one document: markdown, a web page, or a docx file. */

import type { FetchedContent, FetchedPage, ReadPage } from "@lectern/formats"
import { bounds, type ImportSource } from "@lectern/model/imports"
import { Effect } from "effect"
import { type FetchError, type ImportContext, mapNotReadable, urlError } from "./ImportContext.ts"
import { fetchImages, imagesOf, skippedImages } from "./images.ts"

/** Returns the file name in a URL without its extension, or the host name if the path is empty. */
const nameOf = (url: string): string => {
  const { pathname, hostname } = new URL(url)
  const last = pathname.split("/").findLast((part) => part !== "")
  if (last === undefined) return hostname
  try {
    return decodeURIComponent(last).replace(/\.\w{1,8}$/, "")
  } catch {
    return last
  }
}

/** The `Accept` header and the maximum size of the response, by source. */
const requestOptions = {
  markdown: { accept: "text/markdown, text/plain;q=0.9, */*;q=0.5", maximumBytes: bounds.pageBytes },
  html: { accept: "text/html, application/xhtml+xml;q=0.9", maximumBytes: bounds.pageBytes },
  docx: {
    accept: "application/vnd.openxmlformats-officedocument.wordprocessingml.document, */*;q=0.5",
    maximumBytes: bounds.archiveBytes
  }
} as const

/** Returns why a content type does not match the source, as the message of the error; undefined if it may match. */
const contentTypeProblem = (source: keyof typeof requestOptions, contentType: string): string | undefined => {
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)$/.test(contentType)
  if (source === "html")
    return isHtml || contentType === "" ? undefined : `points to ${contentType}, which is not a web page`
  if (isHtml) return `points to a web page; use the URL of the ${source} file itself`
  if (source === "docx") return undefined
  return /^(?:text\/.*|application\/octet-stream|)$/.test(contentType)
    ? undefined
    : `points to ${contentType}, which is not markdown`
}

/** Fetches and parses one document with its images. Fails with `InvalidInput` if it does not have the type of the source. */
export const fetchDocument = Effect.fnUntraced(function* (
  context: ImportContext,
  source: Extract<ImportSource, keyof typeof requestOptions>,
  requestedUrl: string
): Effect.fn.Return<FetchedContent, FetchError> {
  const { fetch, read, mark } = context
  const {
    url,
    contentType,
    body: bytes
  } = yield* fetch({
    url: requestedUrl,
    timeoutMillis: bounds.documentMillis,
    ...requestOptions[source]
  })
  const problem = contentTypeProblem(source, contentType)
  if (problem !== undefined) return yield* urlError(problem)
  const page: ReadPage =
    source === "markdown"
      ? yield* mapNotReadable(read("markdown", { bytes, mark, base: url }))
      : source === "html"
        ? yield* mapNotReadable(read("html", { bytes, mark, url }))
        : yield* mapNotReadable(read("docx", { bytes, mark, url }))
  const imageUrls = imagesOf([page])
  const images = yield* fetchImages(context, imageUrls)
  const name = nameOf(requestedUrl)
  const fetchedPage: FetchedPage = { resource: requestedUrl, segments: [name], page, fallback: name }
  return {
    pages: [fetchedPage],
    files: [...images.values()],
    total: 1 + imageUrls.length,
    skipped: skippedImages(imageUrls, images),
    navigation: [],
    resourceOf: (target) => images.get(target)?.resource,
    git: undefined
  }
})
