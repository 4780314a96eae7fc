/** Fetches the images of pages, once each, and decodes images that are embedded as `data:` URLs. */

import type { FetchedFile, ReadPage, Skipped } from "@lectern/formats"
import { bounds } from "@lectern/model/imports"
import { unescaped } from "@lectern/model/schema"
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { ImportContext } from "./ImportContext.ts"

/** The file extension of each image type. */
const extensions: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/svg+xml": ".svg",
  "image/webp": ".webp",
  "image/avif": ".avif",
  "image/bmp": ".bmp",
  "image/x-icon": ".ico",
  "image/vnd.microsoft.icon": ".ico",
  "image/tiff": ".tiff"
}

/** Returns the type of an image by its file extension, for servers and archives that do not declare the type. */
export const imageTypeOf = (name: string): string | undefined => {
  const extension = /\.\w+$/.exec(name)?.[0].toLowerCase()
  if (extension === ".jpeg") return "image/jpeg"
  return Object.entries(extensions).find(([, known]) => known === extension)?.[0]
}

/** Returns a valid file name for a path, with a file extension if the image type has one. */
export const fileNameOf = (path: string, contentType: string): string => {
  const last = path.split(/[/\\]/).at(-1) ?? ""
  const plain = last.replaceAll(/[\p{Cc}\p{Cs}/\\]/gu, "").trim()
  const stem = Array.from(plain === "" || plain === "." || plain === ".." ? "image" : plain)
    .slice(-200)
    .join("")
  const extension = extensions[contentType]
  return extension === undefined || imageTypeOf(stem) !== undefined ? stem : stem + extension
}

/** The URLs of the images of pages without duplicates, in the order of the pages. */
export const imagesOf = (pages: ReadonlyArray<ReadPage>): ReadonlyArray<string> => [
  ...new Set(
    pages.flatMap(({ targets }) => targets.flatMap(({ kind, url }) => (kind === "image" ? [url] : [])))
  )
]

const imageDataUrl = /^data:(image\/[\w.+-]{1,100})((?:;[\w=.-]+)*),/i

/** Decodes a `data:` URL. Returns undefined if it is malformed, empty or too large. `index` identifies the image. */
const decodeDataUrl = (url: string, index: number): FetchedFile | undefined => {
  const found = imageDataUrl.exec(url)
  if (found === null) return undefined
  const [prefix, type, parameters] = found
  const contentType = type!.toLowerCase()
  const data = url.slice(prefix.length)
  const bytes = /;base64/i.test(parameters!)
    ? Result.getOrUndefined(Base64.decode(data.replaceAll(/\s/g, "")))
    : URL.canParse(`data:,${data}`)
      ? decodePercent(data)
      : undefined
  if (bytes === undefined || bytes.length === 0 || bytes.length > bounds.imageBytes) return undefined
  return { resource: `image:${index}`, name: fileNameOf(`image-${index}`, contentType), contentType, bytes }
}

/** Decodes percent-encoding. Returns undefined if it is malformed. */
const decodePercent = (data: string): Uint8Array | undefined => {
  try {
    return new TextEncoder().encode(decodeURIComponent(data))
  } catch {
    return undefined
  }
}

/** Fetched images by their URLs. */
export type Images = ReadonlyMap<string, FetchedFile>

/**
 * Fetches the images at these URLs concurrently, up to the limits of an import. Images that are not allowed, cannot be
 * fetched or are not images are omitted, so that pages continue to refer to their original URLs.
 */
export const fetchImages = Effect.fnUntraced(function* (
  { fetch }: ImportContext,
  urls: ReadonlyArray<string>,
  isAllowed: (url: string) => Effect.Effect<boolean> = () => Effect.succeed(true)
): Effect.fn.Return<Images> {
  let remainingBytes: number = bounds.imagesBytes

  const download = Effect.fnUntraced(function* (url: string): Effect.fn.Return<FetchedFile | undefined> {
    if (remainingBytes <= 0 || !(yield* isAllowed(url))) return undefined
    const fetched = yield* Effect.result(
      fetch({ url, accept: "image/*", maximumBytes: bounds.imageBytes, timeoutMillis: bounds.pageMillis })
    )
    if (Result.isFailure(fetched)) return undefined
    const { contentType: declaredType, body } = fetched.success
    const path = new URL(url).pathname
    const isDeclared = !["", "application/octet-stream", "binary/octet-stream"].includes(declaredType)
    const contentType = isDeclared ? declaredType : imageTypeOf(path)
    if (contentType === undefined || !/^image\/[\w.+-]{1,100}$/.test(contentType) || body.length === 0)
      return undefined
    remainingBytes -= body.length
    if (remainingBytes < 0) return undefined
    return { resource: url, name: fileNameOf(unescaped(path), contentType), contentType, bytes: body }
  })

  const found = yield* Effect.forEach(
    urls.slice(0, bounds.images).map((url, index) => [url, index] as const),
    ([url, index]) =>
      url.startsWith("data:") ? Effect.sync(() => decodeDataUrl(url, index + 1)) : download(url),
    { concurrency: bounds.concurrency }
  )
  return new Map(found.flatMap((file, index) => (file === undefined ? [] : [[urls[index]!, file] as const])))
})

/** Returns the images that were not fetched. Pages continue to refer to their URLs. */
export const skippedImages = (urls: ReadonlyArray<string>, images: Images): ReadonlyArray<Skipped> =>
  urls.flatMap(
    (url): ReadonlyArray<Skipped> =>
      images.has(url)
        ? []
        : [
            {
              kind: "file",
              resource: url.slice(0, 2048),
              reason: "The image cannot be fetched, is not an image, or exceeds the limits of images."
            }
          ]
  )
