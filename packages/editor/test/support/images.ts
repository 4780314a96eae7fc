/** Compares screenshots in a browser, which decodes them. */
import type { Page } from "playwright-core"

const urlOf = (image: Buffer): string => `data:image/png;base64,${image.toString("base64")}`

/**
 * Returns the part of the area that differs between two images, from 0 to 1. Each is averaged over squares of 6 pixels, so that the
 * smoothing of text and shifts of a pixel count little.
 */
export const compareImages = (page: Page, one: Buffer, other: Buffer): Promise<number> =>
  page.evaluate(
    async ([first, second]) => {
      const square = 6
      const threshold = 24
      const load = async (url: string): Promise<ImageBitmap> =>
        createImageBitmap(await (await fetch(url)).blob())
      const [a, b] = [await load(first), await load(second)]
      const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)]
      const [columns, rows] = [Math.ceil(width / square), Math.ceil(height / square)]
      const averaged = (image: ImageBitmap): Uint8ClampedArray => {
        const canvas = new OffscreenCanvas(columns, rows)
        const context = canvas.getContext("2d")!
        context.fillStyle = "#888"
        context.fillRect(0, 0, columns, rows)
        context.imageSmoothingQuality = "high"
        context.drawImage(image, 0, 0, image.width / square, image.height / square)
        return context.getImageData(0, 0, columns, rows).data
      }
      const [left, right] = [averaged(a), averaged(b)]
      let different = 0
      for (let at = 0; at < left.length; at += 4) {
        const distance = Math.max(
          Math.abs(left[at]! - right[at]!),
          Math.abs(left[at + 1]! - right[at + 1]!),
          Math.abs(left[at + 2]! - right[at + 2]!)
        )
        if (distance > threshold) different++
      }
      return different / (columns * rows)
    },
    [urlOf(one), urlOf(other)] as const
  )

/** Returns one image of half the size with two images next to each other. */
export const joinImages = async (page: Page, one: Buffer, other: Buffer): Promise<Buffer> => {
  const base64 = await page.evaluate(
    async ([first, second]) => {
      const load = async (url: string): Promise<ImageBitmap> =>
        createImageBitmap(await (await fetch(url)).blob())
      const [a, b] = [await load(first), await load(second)]
      const scale = 0.5
      const gap = 8
      const canvas = new OffscreenCanvas(
        Math.ceil((a.width + b.width) * scale) + gap,
        Math.ceil(Math.max(a.height, b.height) * scale)
      )
      const context = canvas.getContext("2d")!
      context.fillStyle = "#888"
      context.fillRect(0, 0, canvas.width, canvas.height)
      context.imageSmoothingQuality = "high"
      context.drawImage(a, 0, 0, a.width * scale, a.height * scale)
      context.drawImage(b, a.width * scale + gap, 0, b.width * scale, b.height * scale)
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer())
      let text = ""
      for (const byte of bytes) text += String.fromCharCode(byte)
      return btoa(text)
    },
    [urlOf(one), urlOf(other)] as const
  )
  return Buffer.from(base64, "base64")
}
