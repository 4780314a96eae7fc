/** Decodes bytes to text. */
import { wellFormed } from "@lectern/markdown/document"
import { NotReadable } from "../conversion/NotReadable.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The encoding that a web page declares, in its first elements. */
const declaredEncoding =
  /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})|^<\?xml[^>]{0,200}?encoding=["']([\w-]{1,40})/i

const decodeAs = (bytes: Uint8Array, label: string): string | undefined => {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Decodes a web page by its byte order mark, as UTF-8 if it is valid, or by the encoding that it declares. The fallback is
 * windows-1252.
 */
export const decodeHtml = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs(bytes, "utf-16be")!
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs(bytes, "utf-16le")!
  try {
    return utf8.decode(bytes)
  } catch {
    const head = decodeAs(bytes.subarray(0, 2048), "latin1")!
    const found = declaredEncoding.exec(head)
    const label = (found?.[1] ?? found?.[2] ?? "windows-1252").toLowerCase()
    return decodeAs(bytes, label === "utf-8" ? "utf-8" : label) ?? decodeAs(bytes, "windows-1252")!
  }
}

/** Whether bytes are text: the first 8 KiB of binary files usually contain a zero byte. */
export const isText = (bytes: Uint8Array): boolean => !bytes.subarray(0, 8192).includes(0)

/** Decodes markdown to well-formed text. Throws `NotReadable` if the bytes are binary. */
export const decodeText = (bytes: Uint8Array): string => {
  if (!isText(bytes)) throw new NotReadable({ message: "points to a file that is not text" })
  return wellFormed(decodeHtml(bytes))
}
