/** Documents of word processors: to HTML by a library, and on from there as web pages are read. */
import { NotReadable, type Readings } from "@lectern/core/conversion"
import mammoth from "mammoth"
import { readHtml } from "./html/readHtml.ts"
import { readZip } from "./readZip.ts"

/** What is in every document, beside what it says. */
const main = "word/document.xml"

/** The most bytes of the document itself: its parser holds many times as much. */
const maximumBytes = 16 * 1024 * 1024

/** Reads a document. What it unpacks to is looked at before the library does so without a limit. */
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
