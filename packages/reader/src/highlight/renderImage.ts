/** Renders a preview image from SVG, with fonts of this package. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { RenderedPiece } from "./protocol.ts"

const require = createRequire(import.meta.url)

/** The fonts: regular and bold. Their scripts are the scripts of `canRenderText`. */
const fontFiles = ["Regular", "Bold"].map(
  (weight) => new URL(`../../assets/fonts/NotoSans-${weight}.ttf`, import.meta.url)
)

const load = async () => {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm")
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")))
  const fonts = await Promise.all(fontFiles.map((file) => readFile(file)))
  return { Resvg, fonts: fonts.map((font) => new Uint8Array(font)) }
}

let loaded: ReturnType<typeof load> | undefined

/** Renders SVG as PNG, in base64. */
export const renderImage = async (svg: string): Promise<RenderedPiece> => {
  loaded ??= load()
  const { Resvg, fonts } = await loaded
  const image = new Resvg(svg, {
    font: { fontBuffers: fonts, loadSystemFonts: false, defaultFontFamily: "Noto Sans" }
  })
  return Buffer.from(image.render().asPng()).toString("base64")
}
