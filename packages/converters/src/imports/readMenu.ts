/** Reads a file that contains the menu of a website, which its pages load with a script. */
import { decodeHtml, type Entry, importBounds, NotReadable, type Readings } from "@lectern/formats/threads"
import { Unzlib } from "fflate"
import { makeMenuReader } from "./html/menus.ts"
import { parseHtml, resolverFor } from "./html/parse.ts"
import { concatChunks } from "./readZip.ts"

const chunkBytes = 16 * 1024

/** The maximum number of entries, and their maximum depth. */
const [maxEntries, maxDepth] = [5000, 50]

const notReadable = (): NotReadable => new NotReadable({ message: "points to a menu that cannot be read" })

/** Decompresses zlib data up to the maximum size of a page. */
const inflate = (bytes: Uint8Array): Uint8Array => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const stream = new Unzlib((chunk) => {
    size += chunk.length
    if (size > importBounds.pageBytes) throw notReadable()
    chunks.push(chunk)
  })
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      stream.push(bytes.subarray(at, at + chunkBytes), at + chunkBytes >= bytes.length)
    }
  } catch {
    throw notReadable()
  }
  return concatChunks(chunks, size)
}

/** Returns the entries of the menu of TypeDoc: objects with a title, a path relative to `base`, and children. */
const toEntries = (value: unknown, addressOf: (href: string) => string | undefined): ReadonlyArray<Entry> => {
  let remaining = maxEntries
  const convert = (nodes: unknown, depth: number): ReadonlyArray<Entry> => {
    if (!Array.isArray(nodes) || depth > maxDepth) return []
    return nodes.flatMap((node: unknown): ReadonlyArray<Entry> => {
      if (typeof node !== "object" || node === null || remaining-- <= 0) return []
      const { text, path, children } = node as Readonly<Record<string, unknown>>
      if (typeof text !== "string") return []
      // The path of a member has the fragment of its section.
      const isPage = typeof path === "string" && !path.includes("#")
      return [
        {
          url: isPage ? addressOf(path) : undefined,
          title: text.slice(0, 200),
          entries: convert(children, depth + 1)
        }
      ]
    })
  }
  return convert(value, 1)
}

/** Reads the menu. `base` is the URL that the paths of a script are relative to. Throws `NotReadable`. */
export const readMenu = ({ bytes, url, base }: Readings["menu"]["in"]): Readings["menu"]["out"] => {
  const text = decodeHtml(bytes)
  const data = /navigationData\s*=\s*"(?:data:[^,"]{0,100},)?([\w+/=]+)"/.exec(text)?.[1]
  if (data !== undefined) {
    try {
      const json: unknown = JSON.parse(new TextDecoder().decode(inflate(Buffer.from(data, "base64"))))
      return toEntries(json, resolverFor(base))
    } catch {
      throw notReadable()
    }
  }
  if (!/<[a-z]/i.test(text)) throw notReadable()
  return makeMenuReader(resolverFor(url), url)(parseHtml(text))
}
