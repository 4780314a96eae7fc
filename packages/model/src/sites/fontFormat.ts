/** Identifies font files by their first bytes. */

/** The format of a font file. */
export type FontFormat = "woff2" | "woff"

/** The media types of the formats. */
export const fontTypes: Readonly<Record<FontFormat, string>> = { woff2: "font/woff2", woff: "font/woff" }

const signatures: Readonly<Record<string, FontFormat>> = { wOF2: "woff2", wOFF: "woff" }

/** The outlines of a font: TrueType, as two versions of it, and PostScript. */
const flavors: ReadonlySet<number> = new Set([0x0001_0000, 0x7472_7565, 0x4f54_544f])

/** The size of the header of a WOFF file, in bytes; the header of a WOFF2 file is longer. */
const headerSize = 44

/**
 * Returns the format of a font file; undefined unless its header has the signature of WOFF or WOFF2, the flavor of a single font, the
 * length of the file, and a number of tables.
 */
export const fontFormatOf = (bytes: Uint8Array): FontFormat | undefined => {
  if (bytes.length < headerSize) return undefined
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerSize)
  const format = signatures[String.fromCharCode(...bytes.subarray(0, 4))]
  const isFont =
    flavors.has(header.getUint32(4)) && header.getUint32(8) === bytes.length && header.getUint16(12) > 0
  return isFont ? format : undefined
}
