/**
 * Decodes images for a document: PNG, JPEG, GIF (the first frame), WebP and SVG. Images that are invalid or declare too many
 * pixels are skipped. The bytes are untrusted, so sizes are checked before anything is decompressed.
 */
import { deflateSync, inflateSync } from "node:zlib"
import webp from "@cwasm/webp"
import { decode as decodePng } from "fast-png"
import { GifReader } from "omggif"
import type { PdfImage } from "./lines.ts"
import type { Document } from "./pdfkit.ts"
import { isSvg, renderSvg } from "./svg.ts"

/** The maximum number of pixels of an image, and of all decompressed images of a document. */
const maxPixels = 25_000_000
const maxTotalPixels = 250_000_000

/** Decoded pixels: red, green, blue and opacity, one byte each. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
}

/** The images of a document, each decoded once. */
export class PdfImages {
  private readonly document: Document
  private readonly cache = new Map<Uint8Array, PdfImage | undefined>()
  private pixels = 0

  constructor(document: Document) {
    this.document = document
  }

  /** Decodes an image. Returns `undefined` if the bytes are not a supported image. */
  read(bytes: Uint8Array): PdfImage | undefined {
    if (this.cache.has(bytes)) return this.cache.get(bytes)
    let image: PdfImage | undefined
    try {
      image = this.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    } catch {
      // Decoders throw errors of various types for invalid images.
      image = undefined
    }
    this.cache.set(bytes, image)
    return image
  }

  private decode(bytes: Buffer): PdfImage | undefined {
    const kind = detectFormat(bytes)
    if (kind === "jpeg") return this.embedFile(bytes)
    if (kind === "png") {
      const png = readPng(bytes)
      this.countPixels(png.width, png.height)
      return png.isEmbeddable ? this.embedFile(png.bytes) : this.embedPixels(decodePngPixels(png.bytes))
    }
    if (kind === "gif") {
      const gif = new GifReader(bytes)
      this.countPixels(gif.width, gif.height)
      const data = new Uint8Array(gif.width * gif.height * 4)
      gif.decodeAndBlitFrameRGBA(0, data)
      return this.embedPixels({ width: gif.width, height: gif.height, data })
    }
    if (kind === "webp") {
      const size = readWebpSize(bytes)
      this.countPixels(size.width, size.height)
      return this.embedPixels(webp.decode(bytes))
    }
    if (isSvg(bytes)) {
      const { png, width, height } = renderSvg(bytes)
      const image = this.decode(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
      return image === undefined ? undefined : { ...image, width, height }
    }
    return undefined
  }

  private countPixels(width: number, height: number): void {
    const pixels = width * height
    this.pixels += pixels
    if (!(pixels > 0 && pixels <= maxPixels && this.pixels <= maxTotalPixels))
      throw new RangeError("The image has too many pixels.")
  }

  /** Embeds a file whose encoding PDF supports. */
  private embedFile(bytes: Buffer): PdfImage {
    const image = this.document.openImage(bytes)
    const { width, height } = image
    if (!(width > 0 && height > 0)) throw new RangeError("The image is empty.")
    const isRotated = (image.orientation ?? 1) > 4
    return isRotated ? { width: height, height: width, source: image } : { width, height, source: image }
  }

  /** Embeds decoded pixels. */
  private embedPixels({ width, height, data }: Pixels): PdfImage {
    const count = width * height
    const colors = new Uint8Array(count * 3)
    const opacity = new Uint8Array(count)
    let isOpaque = true
    for (let i = 0; i < count; i++) {
      colors[i * 3] = data[i * 4]!
      colors[i * 3 + 1] = data[i * 4 + 1]!
      colors[i * 3 + 2] = data[i * 4 + 2]!
      const alpha = data[i * 4 + 3]!
      opacity[i] = alpha
      if (alpha !== 255) isOpaque = false
    }
    const { document } = this
    const addImageStream = (bytes: Uint8Array, entries: object) => {
      const object = document.ref({
        Type: "XObject",
        Subtype: "Image",
        Width: width,
        Height: height,
        BitsPerComponent: 8,
        Filter: "FlateDecode",
        ...entries
      })
      object.end(deflateSync(bytes))
      return object
    }
    const mask = isOpaque ? undefined : addImageStream(opacity, { ColorSpace: "DeviceGray" })
    const obj = addImageStream(colors, {
      ColorSpace: "DeviceRGB",
      ...(mask === undefined ? {} : { SMask: mask })
    })
    return { width, height, source: { width, height, obj, label: `P${this.cache.size}` } }
  }
}

const detectFormat = (bytes: Buffer): "png" | "jpeg" | "gif" | "webp" | undefined => {
  if (bytes.length < 16) return undefined
  if (bytes.readUInt32BE(0) === 0x89504e47) return "png"
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "jpeg"
  const start = bytes.toString("latin1", 0, 4)
  if (start === "GIF8") return "gif"
  return start === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP" ? "webp" : undefined
}

/** Returns the size that a WebP file declares, in one of its three formats. */
const readWebpSize = (bytes: Buffer): { readonly width: number; readonly height: number } => {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case "VP8L": {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    default:
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
}

/** The number of samples per pixel, by PNG color type. */
const samplesPerPixel: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Returns a PNG reduced to the chunks that its pixels need, after checking that its data decompresses to the declared
 * size. `isEmbeddable` is true if PDF supports its encoding: without opacity, not interlaced, and at most 8 bits per
 * sample.
 */
const readPng = (bytes: Buffer) => {
  const width = bytes.readUInt32BE(16)
  const height = bytes.readUInt32BE(20)
  const [depth, color, , , interlace] = bytes.subarray(24, 29) as unknown as [
    number,
    number,
    number,
    number,
    number
  ]
  const samples = samplesPerPixel[color]
  if (samples === undefined || width * height > maxPixels)
    throw new RangeError("The PNG has an unknown color type or too many pixels.")
  const chunks = [bytes.subarray(0, 8)]
  const data: Array<Buffer> = []
  let hasOpacity = color === 4 || color === 6
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) throw new RangeError("The PNG is truncated.")
    const name = bytes.toString("latin1", at + 4, at + 8)
    if (name === "IDAT") data.push(bytes.subarray(at + 8, end - 4))
    if (name === "tRNS") hasOpacity = true
    if (["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].includes(name)) chunks.push(bytes.subarray(at, end))
    at = end
  }
  const row = Math.ceil((width * samples * depth) / 8) + 1
  // An interlaced PNG consists of seven smaller images with separate rows.
  const size = interlace === 1 ? row * height + 16 * (width + height) : row * height
  const unpacked = inflateSync(Buffer.concat(data), { maxOutputLength: size }).length
  if (interlace !== 1 && unpacked !== size) throw new RangeError("The PNG is truncated.")
  const isEmbeddable = !hasOpacity && interlace !== 1 && depth <= 8
  return { width, height, isEmbeddable, bytes: Buffer.concat(chunks) }
}

const decodePngPixels = (bytes: Buffer): Pixels => {
  const { width, height, data, channels, depth, palette, transparency } = decodePng(bytes)
  const pixels = new Uint8Array(width * height * 4)
  const shift = depth === 16 ? 8 : 0
  const sample = (at: number): number => (data[at] ?? 0) >> shift
  const scale = depth < 8 ? 255 / (2 ** depth - 1) : 1
  for (let i = 0; i < width * height; i++) {
    const from = i * channels
    const to = i * 4
    if (palette !== undefined) {
      const [red = 0, green = 0, blue = 0, alpha = 255] = palette[indexAt(data, i, width, depth)] ?? []
      pixels.set([red, green, blue, alpha], to)
      continue
    }
    // Gray samples of less than a byte are packed, like palette indexes.
    const isGray = channels < 3
    const gray = depth < 8 ? indexAt(data, i, width, depth) : data[from]!
    const parts = isGray ? [gray] : [data[from]!, data[from + 1]!, data[from + 2]!]
    const isClear =
      transparency !== undefined &&
      transparency.length >= parts.length &&
      parts.every((part, index) => part === transparency[index])
    const alpha = channels === 2 || channels === 4 ? sample(from + channels - 1) : isClear ? 0 : 255
    const [red, green, blue] = isGray
      ? Array.from({ length: 3 }, () => (depth < 8 ? gray * scale : gray >> shift))
      : parts.map((part) => part >> shift)
    pixels.set([red!, green!, blue!, alpha], to)
  }
  return { width, height, data: pixels }
}

/**
 * Returns the sample of a pixel with less than a byte per sample. A byte contains several; each row starts with a new
 * byte.
 */
const indexAt = (data: ArrayLike<number>, pixel: number, width: number, depth: number): number => {
  if (depth >= 8) return data[pixel] ?? 0
  const perByte = 8 / depth
  const row = Math.floor(pixel / width)
  const column = pixel % width
  const byte = data[row * Math.ceil(width / perByte) + Math.floor(column / perByte)] ?? 0
  return (byte >> (8 - depth * ((column % perByte) + 1))) & (2 ** depth - 1)
}
