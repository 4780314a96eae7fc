/** Decodes the images of integrations. */

import { sha256Hex } from "@lectern/kernel/sha256"
import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { imageSize } from "image-size"

/** A decoded image, with its SHA-256 digest. */
export interface Image {
  readonly hash: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** The accepted image types. They cannot contain scripts, unlike SVG. */
const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp"
}

/** Decodes an image from base64. Returns undefined unless its first bytes identify an accepted type. */
export const decodeImage = (base64: string): Image | undefined => {
  const decoded = Base64.decode(base64)
  if (Result.isFailure(decoded)) return undefined
  const bytes = decoded.success
  try {
    const { type } = imageSize(bytes)
    const contentType = type === undefined ? undefined : types[type]
    return contentType === undefined ? undefined : { hash: sha256Hex(bytes), contentType, bytes }
  } catch {
    return undefined
  }
}
