/** From bytes to text. */
import { wellFormed } from "../content/document/syntax.ts"
import { NotReadable } from "../conversion/Readings.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The encoding that a web page says that it has, at its beginning. */
const declared =
  /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})|^<\?xml[^>]{0,200}?encoding=["']([\w-]{1,40})/i

const decodeAs = (bytes: Uint8Array, label: string): string | undefined => {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return undefined
  }
}

/** The text of a web page: as its byte order mark, its bytes or its head say. */
export const decodeHtml = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs(bytes, "utf-16be")!
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs(bytes, "utf-16le")!
  try {
    return utf8.decode(bytes)
  } catch {
    const head = decodeAs(bytes.subarray(0, 2048), "latin1")!
    const found = declared.exec(head)
    const label = (found?.[1] ?? found?.[2] ?? "windows-1252").toLowerCase()
    return decodeAs(bytes, label === "utf-8" ? "utf-8" : label) ?? decodeAs(bytes, "windows-1252")!
  }
}

/** Whether bytes are of a text at all. */
const isText = (bytes: Uint8Array): boolean => !bytes.subarray(0, 8192).includes(0)

/** The text of markdown, well-formed. */
export const decodeText = (bytes: Uint8Array): string => {
  if (!isText(bytes)) throw new NotReadable({ message: "leads to something that is not text" })
  return wellFormed(decodeHtml(bytes))
}
