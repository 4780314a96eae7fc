/** Renders SVG images to PNG with resvg, which has no scripts and loads no external resources. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { initWasm, Resvg } from "@resvg/resvg-wasm"

const require = createRequire(import.meta.url)

/** The maximum size of an SVG in bytes. */
const maxSvgBytes = 2 * 1024 * 1024

/** The width in pixels to which small images are enlarged, so that they are sharp in print, and the maximum width. */
const pixelsPerUnit = 2
const maxWidth = 2000
const maxHeight = 2600

let loading: Promise<void> | undefined
let font: Uint8Array | undefined

/** Returns whether bytes are probably an SVG. */
export const isSvg = (bytes: Uint8Array): boolean => {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1000)).toString("utf8")
  return /^\uFEFF?\s*</.test(start) && /<svg[\s>]/i.test(start)
}

/** Loads resvg. Call it before {@link renderSvg}. */
export const loadSvgRenderer = (): Promise<void> => {
  loading ??= initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")))
  return loading
}

/** Renders an SVG. `width` and `height` are its own size. Throws if it is invalid or too large. */
export const renderSvg = (
  bytes: Uint8Array
): { readonly png: Uint8Array; readonly width: number; readonly height: number } => {
  if (bytes.length > maxSvgBytes) throw new RangeError("The SVG is too large.")
  font ??= readFileSync(new URL("../../assets/fonts/NotoSans-Regular.ttf", import.meta.url))
  const options = {
    font: { fontBuffers: [font], defaultFontFamily: "Noto Sans", sansSerifFamily: "Noto Sans" }
  }
  const natural = new Resvg(bytes, options)
  const { width, height } = natural
  natural.free()
  if (!(width > 0 && height > 0)) throw new RangeError("The SVG is empty.")
  const scale = Math.min(pixelsPerUnit, maxWidth / width, maxHeight / height)
  const resvg = new Resvg(bytes, { ...options, fitTo: { mode: "zoom", value: scale } })
  const image = resvg.render()
  const png = image.asPng()
  image.free()
  resvg.free()
  return { png, width, height }
}
