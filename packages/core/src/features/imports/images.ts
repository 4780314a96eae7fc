/** The images of pages: fetched once each, or taken out of the page that they come with. */
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import { unescaped } from "../../kernel/schema/Text.ts"
import { bounds } from "../../model/imports/Import.ts"
import type { ReadPage } from "../conversion/Readings.ts"
import type { GatheredFile } from "./Gathered.ts"
import type { Outside } from "./requests.ts"

/** The endings of names, by type. */
const endings: Readonly<Record<string, string>> = {
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

/** The type of an image by its name, for servers and archives that say none. */
export const imageTypeOf = (name: string): string | undefined => {
  const ending = /\.\w+$/.exec(name)?.[0].toLowerCase()
  if (ending === ".jpeg") return "image/jpeg"
  return Object.entries(endings).find(([, one]) => one === ending)?.[0]
}

/** A name that a file can have, with an ending that tells its type. */
export const fileNameOf = (path: string, contentType: string): string => {
  const last = path.split(/[/\\]/).at(-1) ?? ""
  const plain = last.replaceAll(/[\p{Cc}\p{Cs}/\\]/gu, "").trim()
  const stem = Array.from(plain === "" || plain === "." || plain === ".." ? "image" : plain)
    .slice(-200)
    .join("")
  const ending = endings[contentType]
  return ending === undefined || imageTypeOf(stem) !== undefined ? stem : stem + ending
}

/** The addresses of the images of pages, each once, in the order of the pages. */
export const imagesOf = (pages: ReadonlyArray<ReadPage>): ReadonlyArray<string> => [
  ...new Set(
    pages.flatMap(({ targets }) => targets.flatMap(({ kind, url }) => (kind === "image" ? [url] : [])))
  )
]

const inline = /^data:(image\/[\w.+-]{1,100})((?:;[\w=.-]+)*),/i

/** An image that comes with its page. */
const decodeInline = (url: string, index: number): GatheredFile | undefined => {
  const found = inline.exec(url)
  if (found === null) return undefined
  const [prefix, type, parameters] = found
  const contentType = type!.toLowerCase()
  const data = url.slice(prefix.length)
  const bytes = /;base64/i.test(parameters!)
    ? Result.getOrUndefined(Base64.decode(data.replaceAll(/\s/g, "")))
    : URL.canParse(`data:,${data}`)
      ? percentDecoded(data)
      : undefined
  if (bytes === undefined || bytes.length === 0 || bytes.length > bounds.imageBytes) return undefined
  return { resource: `image:${index}`, name: fileNameOf(`image-${index}`, contentType), contentType, bytes }
}

const percentDecoded = (data: string): Uint8Array | undefined => {
  try {
    return new TextEncoder().encode(decodeURIComponent(data))
  } catch {
    return undefined
  }
}

/** Images that were found, by their addresses. */
export type Images = ReadonlyMap<string, GatheredFile>

/** Fetches images. Those that cannot be had are left where they are. */
export const gatherImages = Effect.fnUntraced(function* (
  { fetch }: Outside,
  addresses: ReadonlyArray<string>,
  isAllowed: (address: string) => Effect.Effect<boolean> = () => Effect.succeed(true)
): Effect.fn.Return<Images> {
  let left: number = bounds.imagesBytes

  const download = Effect.fnUntraced(function* (url: string): Effect.fn.Return<GatheredFile | undefined> {
    if (left <= 0 || !(yield* isAllowed(url))) return undefined
    const fetched = yield* Effect.result(
      fetch({ url, accept: "image/*", maximumBytes: bounds.imageBytes, timeoutMillis: bounds.pageMillis })
    )
    if (Result.isFailure(fetched)) return undefined
    const { contentType: said, body } = fetched.success
    const path = new URL(url).pathname
    const isSaid = said !== "" && said !== "application/octet-stream" && said !== "binary/octet-stream"
    const contentType = isSaid ? said : imageTypeOf(path)
    if (contentType === undefined || !/^image\/[\w.+-]{1,100}$/.test(contentType) || body.length === 0)
      return undefined
    left -= body.length
    if (left < 0) return undefined
    return { resource: url, name: fileNameOf(unescaped(path), contentType), contentType, bytes: body }
  })

  const found = yield* Effect.forEach(
    addresses.slice(0, bounds.images).map((url, index) => [url, index] as const),
    ([url, index]) =>
      url.startsWith("data:") ? Effect.sync(() => decodeInline(url, index + 1)) : download(url),
    { concurrency: bounds.concurrency }
  )
  return new Map(
    found.flatMap((file, index) => (file === undefined ? [] : [[addresses[index]!, file] as const]))
  )
})
