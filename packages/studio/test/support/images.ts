/** Images of screens, which are compared with committed ones. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import sharp from "sharp"

/** The difference of a color channel, of 255, from which a pixel is another one. */
const channelTolerance = 24

/** The share of pixels that may differ: about 300 of a window, fewer than a word of a menu has. */
const pixelTolerance = 0.0003

interface Pixels {
  readonly data: Buffer
  readonly size: string
}

const readPixels = async (image: Buffer): Promise<Pixels> => {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, size: `${info.width} × ${info.height}` }
}

/** Returns the share of pixels that differ between two images of the same size. */
const differingShare = (actual: Buffer, expected: Buffer): number => {
  let different = 0
  for (let index = 0; index < actual.length; index += 3) {
    const isEqual = [0, 1, 2].every(
      (channel) => Math.abs(actual[index + channel]! - expected[index + channel]!) <= channelTolerance
    )
    if (!isEqual) different++
  }
  return different / (actual.length / 3)
}

const readExisting = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Returns how an image differs from the committed one, or `undefined` if it does not. */
const describeDifference = async (
  image: Buffer,
  committed: Buffer | undefined
): Promise<string | undefined> => {
  if (committed === undefined) return "has no committed image"
  const [actual, expected] = await Promise.all([readPixels(image), readPixels(committed)])
  if (actual.size !== expected.size) return `is ${actual.size} instead of ${expected.size} pixels`
  const share = differingShare(actual.data, expected.data)
  return share <= pixelTolerance ? undefined : `differs in ${(share * 100).toFixed(2)} % of its pixels`
}

const write = (path: string, bytes: Buffer): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

/**
 * Compares an image with the committed one. Returns how it differs, or `undefined`. If `LECTERN_UPDATE_GOLDEN` is set, an image that
 * differs replaces the committed one instead. Otherwise a copy of it is written to `copyPath`.
 */
export const checkImage = async (
  image: Buffer,
  path: string,
  copyPath: string
): Promise<string | undefined> => {
  const difference = await describeDifference(image, readExisting(path))
  if (difference === undefined) return undefined
  if (process.env.LECTERN_UPDATE_GOLDEN !== undefined) {
    write(path, await sharp(image).webp({ lossless: true, effort: 5 }).toBuffer())
    return undefined
  }
  write(copyPath, image)
  return `${difference}: see ${copyPath}, and \`npm run update\`.`
}
