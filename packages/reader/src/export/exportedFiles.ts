/** The names of the files of an exported site. */
import { createHash } from "node:crypto"
import { decodePart } from "../html/urls.ts"
import { type CrawledSite, isFileOfAuthor } from "./crawlSite.ts"
import { inertName } from "./inertFiles.ts"

/** The maximum length of a part of a path, in bytes, which file systems accept. */
const maximumPartBytes = 200

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 16)

/** Returns a part of a path that every file system accepts: one that is special or too long is replaced by its hash. */
const safePart = (encoded: string): string => {
  const part = decodePart(encoded)
  const isSafe =
    part !== "." &&
    part !== ".." &&
    !/[/\\:*?"<>|]|\p{Cc}/u.test(part) &&
    !/[. ]$/.test(part) &&
    Buffer.byteLength(part) <= maximumPartBytes
  return isSafe ? part : hashOf(part)
}

/** Returns the path of the file of a URL in the folder of the export. */
export const fileOf = (site: CrawledSite, url: string): string => {
  const { root } = site
  if (isFileOfAuthor(site, url)) {
    const { pathname } = new URL(url)
    const name = pathname.split("/").at(-1) ?? ""
    return `files/${hashOf(pathname)}/${inertName(safePart(name), decodePart(name))}`
  }
  const [path = "", query] = url.slice(root.length).split("?", 2)
  if (query !== undefined && query !== "")
    return `${safePart(path.replaceAll("/", "-"))}-${hashOf(query)}.html`
  if (path.startsWith("~/assets/")) return `assets/${safePart(path.slice("~/assets/".length))}`
  const parts = path.split("/").map((part) => (part === "" ? "" : safePart(part)))
  const last = parts.pop() ?? ""
  const folder = parts.map((part) => `${part}/`).join("")
  if (last === "") return `${folder}index.html`
  if (/\.(?:md|xml|txt)$/.test(last)) return `${folder}${last}`
  return last === "index" ? `${folder}index/index.html` : `${folder}${last}.html`
}

/** Returns the relative URL from one file of the export to another. */
export const relativeFile = (from: string, to: string): string => {
  const [source, target] = [from.split("/").slice(0, -1), to.split("/")]
  let common = 0
  while (common < source.length && common < target.length - 1 && source[common] === target[common]) common++
  const up = "../".repeat(source.length - common)
  return up + target.slice(common).map(encodeURIComponent).join("/")
}
