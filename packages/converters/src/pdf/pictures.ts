/**
 * Reads pictures for a document: PNG, JPEG, GIF (its first frame) and WebP. What cannot be read, or says that it is
 * enormous, is no picture. The readers see untrusted bytes, so sizes are looked at before anything is unpacked.
 */
import { deflateSync, inflateSync } from "node:zlib"
import webp from "@cwasm/webp"
import { decode as decodePng } from "fast-png"
import { GifReader } from "omggif"
import type { Picture } from "./lines.ts"
import type { Document } from "./pdfkit.ts"

/** The most pixels of a picture, and of all pictures of a document that have to be unpacked. */
const mostPixels = 25_000_000
const mostPixelsOfAll = 250_000_000

/** A picture as red, green, blue and opacity, a byte each. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
}

/** The pictures of a document, each read once. */
export class Pictures {
  private readonly document: Document
  private readonly read = new Map<Uint8Array, Picture | undefined>()
  private pixels = 0

  constructor(document: Document) {
    this.document = document
  }

  /** The picture that bytes are of; `undefined` where they are of none. */
  of(bytes: Uint8Array): Picture | undefined {
    if (this.read.has(bytes)) return this.read.get(bytes)
    let picture: Picture | undefined
    try {
      picture = this.open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    } catch {
      // The readers throw what they please; the picture is broken.
      picture = undefined
    }
    this.read.set(bytes, picture)
    return picture
  }

  private open(bytes: Buffer): Picture | undefined {
    const kind = kindOf(bytes)
    if (kind === "jpeg") return this.asIs(bytes)
    if (kind === "png") {
      const png = essentialsOf(bytes)
      this.count(png.width, png.height)
      return png.isPlain ? this.asIs(png.bytes) : this.packed(pixelsOfPng(png.bytes))
    }
    if (kind === "gif") {
      const gif = new GifReader(bytes)
      this.count(gif.width, gif.height)
      const data = new Uint8Array(gif.width * gif.height * 4)
      gif.decodeAndBlitFrameRGBA(0, data)
      return this.packed({ width: gif.width, height: gif.height, data })
    }
    if (kind === "webp") {
      const size = sizeOfWebp(bytes)
      this.count(size.width, size.height)
      return this.packed(webp.decode(bytes))
    }
    return undefined
  }

  private count(width: number, height: number): void {
    const pixels = width * height
    this.pixels += pixels
    if (!(pixels > 0 && pixels <= mostPixels && this.pixels <= mostPixelsOfAll))
      throw new RangeError("too large")
  }

  /** A picture that a PDF can hold as it came. */
  private asIs(bytes: Buffer): Picture {
    const image = this.document.openImage(bytes)
    const { width, height } = image
    if (!(width > 0 && height > 0)) throw new RangeError("empty")
    // Lying on its side, by what the camera wrote.
    const isTurned = (image.orientation ?? 1) > 4
    return isTurned ? { width: height, height: width, source: image } : { width, height, source: image }
  }

  /** A picture of which only the pixels are left. */
  private packed({ width, height, data }: Pixels): Picture {
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
    const stream = (bytes: Uint8Array, more: object) => {
      const object = document.ref({
        Type: "XObject",
        Subtype: "Image",
        Width: width,
        Height: height,
        BitsPerComponent: 8,
        Filter: "FlateDecode",
        ...more
      })
      object.end(deflateSync(bytes))
      return object
    }
    const mask = isOpaque ? undefined : stream(opacity, { ColorSpace: "DeviceGray" })
    const obj = stream(colors, { ColorSpace: "DeviceRGB", ...(mask === undefined ? {} : { SMask: mask }) })
    return { width, height, source: { width, height, obj, label: `P${this.read.size}` } }
  }
}

const kindOf = (bytes: Buffer): "png" | "jpeg" | "gif" | "webp" | undefined => {
  if (bytes.length < 16) return undefined
  if (bytes.readUInt32BE(0) === 0x89504e47) return "png"
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "jpeg"
  const start = bytes.toString("latin1", 0, 4)
  if (start === "GIF8") return "gif"
  return start === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP" ? "webp" : undefined
}

/** The size that a WebP says it has, in whichever of the three ways. */
const sizeOfWebp = (bytes: Buffer): { readonly width: number; readonly height: number } => {
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

/** The samples of a pixel by the kind of PNG. */
const samplesOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * A PNG with nothing but what its pixels need, after its data was found to unpack to what it says, and no more. It is
 * plain where a PDF can hold it as it is: without opacity, not interlaced.
 */
const essentialsOf = (bytes: Buffer) => {
  const width = bytes.readUInt32BE(16)
  const height = bytes.readUInt32BE(20)
  const [depth, color, , , interlace] = bytes.subarray(24, 29) as unknown as [
    number,
    number,
    number,
    number,
    number
  ]
  const samples = samplesOf[color]
  if (samples === undefined || width * height > mostPixels) throw new RangeError("no picture")
  const kept = [bytes.subarray(0, 8)]
  const data: Array<Buffer> = []
  let hasOpacity = color === 4 || color === 6
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) throw new RangeError("cut off")
    const name = bytes.toString("latin1", at + 4, at + 8)
    if (name === "IDAT") data.push(bytes.subarray(at + 8, end - 4))
    if (name === "tRNS") hasOpacity = true
    if (["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].includes(name)) kept.push(bytes.subarray(at, end))
    at = end
  }
  const row = Math.ceil((width * samples * depth) / 8) + 1
  // Interlaced, there are seven small pictures, each with rows of its own.
  const size = interlace === 1 ? row * height + 16 * (width + height) : row * height
  const unpacked = inflateSync(Buffer.concat(data), { maxOutputLength: size }).length
  if (interlace !== 1 && unpacked !== size) throw new RangeError("cut off")
  const isPlain = !hasOpacity && interlace !== 1 && depth <= 8
  return { width, height, isPlain, bytes: Buffer.concat(kept) }
}

const pixelsOfPng = (bytes: Buffer): Pixels => {
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
    // Grays of less than a byte are packed, as indexes are.
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

/** The index of a pixel in a palette: several are in a byte where the depth is small, and rows begin with a byte. */
const indexAt = (data: ArrayLike<number>, pixel: number, width: number, depth: number): number => {
  if (depth >= 8) return data[pixel] ?? 0
  const perByte = 8 / depth
  const row = Math.floor(pixel / width)
  const column = pixel % width
  const byte = data[row * Math.ceil(width / perByte) + Math.floor(column / perByte)] ?? 0
  return (byte >> (8 - depth * ((column % perByte) + 1))) & (2 ** depth - 1)
}
