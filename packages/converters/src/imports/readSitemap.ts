/** Parses sitemaps. */

import { decodeHtml, importBounds, NotReadable, type Readings } from "@lectern/formats/threads"
import { parseXml, XmlElement } from "@rgrove/parse-xml"
import { Gunzip } from "fflate"
import { concatChunks } from "./readZip.ts"

const chunkBytes = 16 * 1024

/** Decompresses gzip up to the size limit of sitemaps. Throws `NotReadable` beyond it. */
const gunzip = (bytes: Uint8Array): Uint8Array => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const stream = new Gunzip((chunk) => {
    size += chunk.length
    if (size > importBounds.sitemapBytes)
      throw new NotReadable({
        message: `points to a sitemap that is larger than ${importBounds.sitemapBytes} bytes`
      })
    chunks.push(chunk)
  })
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    stream.push(bytes.subarray(at, at + chunkBytes), at + chunkBytes >= bytes.length)
  }
  return concatChunks(chunks, size)
}

const elements = (parent: XmlElement, name: string): ReadonlyArray<XmlElement> =>
  parent.children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name)

const locations = (root: XmlElement, name: string): ReadonlyArray<string> =>
  elements(root, name).flatMap((entry) => elements(entry, "loc").map(({ text }) => text.trim()))

/** Returns the URLs of a sitemap, which is XML or text with one URL per line. Throws `NotReadable`. */
export const readSitemap = ({ bytes }: Readings["sitemap"]["in"]): Readings["sitemap"]["out"] => {
  const text = decodeHtml(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes) : bytes).trim()
  if (/^https?:\/\//i.test(text)) return { pages: text.split(/\s+/), sitemaps: [] }
  try {
    const { root } = parseXml(text)
    if (root === null) return { pages: [], sitemaps: [] }
    return { pages: locations(root, "url"), sitemaps: locations(root, "sitemap") }
  } catch {
    throw new NotReadable({ message: "points to a sitemap that is not well-formed XML" })
  }
}
