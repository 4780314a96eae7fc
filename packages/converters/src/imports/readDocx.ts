/** Converts docx documents to HTML with mammoth, then to Markdown as web pages are. */
import { NotReadable, type Readings } from "@lectern/core/conversion"
import mammoth from "mammoth"
import { readHtml } from "./html/readHtml.ts"
import { readZip } from "./readZip.ts"

/** The entry of a docx archive that has its text. */
const main = "word/document.xml"

/** The most bytes of that entry, unpacked. mammoth needs many times as much memory. */
const maximumBytes = 16 * 1024 * 1024

/** Reads a docx document. mammoth unpacks without a limit, so sizes are checked first. Throws `NotReadable`. */
export const readDocx = async ({
  bytes,
  url,
  mark
}: Readings["docx"]["in"]): Promise<Readings["docx"]["out"]> => {
  const document = readZip({ bytes }).files.find(({ path }) => path === main)
  if (document === undefined) throw new NotReadable({ message: "leads to no docx document" })
  if (document.bytes.length > maximumBytes) {
    throw new NotReadable({ message: "leads to a docx document that is too large" })
  }
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }).catch(() => {
    throw new NotReadable({ message: "leads to a docx document that cannot be read" })
  })
  return readHtml({ bytes: new TextEncoder().encode(value), url, mark, isWhole: true })
}
