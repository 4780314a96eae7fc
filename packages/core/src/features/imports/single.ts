/** Imports of one document: markdown, a web page, or a docx. */
import { Effect } from "effect"
import { bounds, type ImportSource } from "../../model/imports/Import.ts"
import type { ReadPage } from "../conversion/Readings.ts"
import type { Gathered, GatheredPage } from "./Gathered.ts"
import { gatherImages, imagesOf } from "./images.ts"
import { type GatherFailure, type Outside, orWrong, wrong } from "./requests.ts"

/** The name in an address, without its ending. */
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

/** What each source is asked for by, and how much of it is taken. */
const requests = {
  markdown: { accept: "text/markdown, text/plain;q=0.9, */*;q=0.5", maximumBytes: bounds.pageBytes },
  html: { accept: "text/html, application/xhtml+xml;q=0.9", maximumBytes: bounds.pageBytes },
  docx: {
    accept: "application/vnd.openxmlformats-officedocument.wordprocessingml.document, */*;q=0.5",
    maximumBytes: bounds.archiveBytes
  }
} as const

/** Why what came is not what was asked for; undefined where it may be. */
const whyNot = (source: keyof typeof requests, contentType: string): string | undefined => {
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)$/.test(contentType)
  if (source === "html")
    return isHtml || contentType === "" ? undefined : `leads to ${contentType}, which is no web page`
  if (isHtml) return `leads to a web page; give the address of the ${source} file itself`
  if (source === "docx") return undefined
  return /^(?:text\/.*|application\/octet-stream|)$/.test(contentType)
    ? undefined
    : `leads to ${contentType}, which is no markdown`
}

/** Fetches one document with its images. */
export const gatherSingle = Effect.fnUntraced(function* (
  outside: Outside,
  source: Extract<ImportSource, keyof typeof requests>,
  asked: string
): Effect.fn.Return<Gathered, GatherFailure> {
  const { fetch, read, mark } = outside
  const {
    url,
    contentType,
    body: bytes
  } = yield* fetch({
    url: asked,
    timeoutMillis: bounds.documentMillis,
    ...requests[source]
  })
  const why = whyNot(source, contentType)
  if (why !== undefined) return yield* wrong(why)
  const page: ReadPage =
    source === "markdown"
      ? yield* orWrong(read("markdown", { bytes, mark, base: url }))
      : source === "html"
        ? yield* orWrong(read("html", { bytes, mark, url }))
        : yield* orWrong(read("docx", { bytes, mark, url }))
  const addresses = imagesOf([page])
  const images = yield* gatherImages(outside, addresses)
  const only: GatheredPage = { resource: asked, segments: [nameOf(asked)], page, fallback: nameOf(asked) }
  return {
    pages: [only],
    files: [...images.values()],
    total: 1 + addresses.length,
    navigation: [],
    resourceOf: (address) => images.get(address)?.resource,
    git: undefined
  }
})
