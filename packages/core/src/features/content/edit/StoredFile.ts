/** Files whose bytes are stored before the transaction that adds them: uploads, and files that are fetched from a URL. */

import type { Holder, StorageUnavailable, StoredBytes } from "@lectern/kernel"
import type { Dimensions, NewFile } from "@lectern/model/content"
import { Effect, type Stream } from "effect"
import { imageSize } from "image-size"
import type { ContentStore } from "../ContentStore.ts"

/** Returns the dimensions of an image in pixels; undefined if the bytes are not an image. */
export const dimensionsOf = (bytes: Uint8Array): Dimensions | undefined => {
  try {
    const { width, height } = imageSize(bytes)
    return { width, height }
  } catch {
    return undefined
  }
}

/** A file to add whose bytes are stored already. No JSON decodes to it, so that clients cannot refer to stored bytes. */
export class StoredFile implements NewFile {
  /** The name of the file. */
  readonly name: NewFile["name"]
  /** The media type of the file. */
  readonly contentType: string
  /** The hash of the bytes, and of their chunks. */
  readonly stored: StoredBytes
  /** The dimensions of an image. */
  readonly dimensions: Dimensions | undefined
  /** The name within the batch. */
  readonly ref?: string
  /** The location in a git repository. */
  readonly git?: NonNullable<NewFile["git"]>

  constructor(
    { name, ref, git }: NewFile,
    { contentType, stored, dimensions }: Pick<UploadedBytes, "contentType" | "stored" | "dimensions">
  ) {
    this.name = name
    this.contentType = contentType
    this.stored = stored
    this.dimensions = dimensions
    if (ref !== undefined) this.ref = ref
    if (git !== undefined) this.git = git
  }
}

/** The media types of images, by the names that the parser of their headers has for them. */
const imageTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  ico: "image/x-icon",
  svg: "image/svg+xml",
  tiff: "image/tiff"
}

/** The media types of other formats, by the bytes at an offset, as Latin-1. */
const signatures: ReadonlyArray<readonly [offset: number, bytes: string, contentType: string]> = [
  [0, "%PDF-", "application/pdf"],
  [4, "ftyp", "video/mp4"],
  [0, "\x1aE\xdf\xa3", "video/webm"],
  [0, "OggS", "audio/ogg"],
  [0, "ID3", "audio/mpeg"],
  [0, "PK\x03\x04", "application/zip"]
]

const detectType = (bytes: Uint8Array): string | undefined => {
  try {
    const type = imageTypes[imageSize(bytes).type ?? ""]
    if (type !== undefined) return type
  } catch {
    // Not an image.
  }
  return signatures.find(([offset, text]) =>
    Array.from(text).every((character, index) => bytes[offset + index] === character.charCodeAt(0))
  )?.[2]
}

const unknownType = "application/octet-stream"

/**
 * Returns the media type of a file: that of its bytes if the declared one is missing or unspecific, or if both are images.
 * Only types that browsers display without scripts are served inline, so a wrong one is harmless.
 */
export const contentTypeOf = (declared: string | undefined, bytes: Uint8Array): string => {
  const type = (declared ?? "").split(";", 1)[0]!.trim().toLowerCase()
  if (!/^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(type) || type === unknownType) {
    return detectType(bytes) ?? unknownType
  }
  if (!type.startsWith("image/")) return type
  const detected = detectType(bytes)
  return detected?.startsWith("image/") === true ? detected : type
}

/** Returns a valid name for a file: the last segment of a path, without control characters. */
export const toFileName = (path: string): NewFile["name"] => {
  const last = path.split(/[/\\]/).at(-1) ?? ""
  const plain = last
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
  return plain === "" || plain === "." || plain === ".."
    ? "file"
    : Array.from(plain).slice(-256).join("").trim()
}

/** Stored bytes, with the type and the dimensions that their first chunk contains. */
export interface UploadedBytes {
  /** The media type that was declared or detected. */
  readonly contentType: string
  /** The hash of the bytes, and of their chunks. */
  readonly stored: StoredBytes
  /** The dimensions, if the bytes are an image. */
  readonly dimensions: Dimensions | undefined
  /** The id of the upload, which holds the bytes until an edit adds them or they are discarded. */
  readonly holder: Holder
}

/**
 * Stores bytes as they arrive, and detects their media type and their dimensions. Run it outside of a transaction. The bytes are
 * deleted if they do not arrive completely, and by `discard` of `ChunkedBlobs` if no edit has added them.
 */
export const storeUpload = <E>(
  { files }: ContentStore["Service"],
  bytes: Stream.Stream<Uint8Array, E>,
  declaredType: string | undefined,
  holder: Holder
): Effect.Effect<UploadedBytes, E | StorageUnavailable> =>
  Effect.suspend(() => {
    let contentType = unknownType
    let dimensions: Dimensions | undefined
    return Effect.map(
      files.write(
        bytes,
        (first) => {
          contentType = contentTypeOf(declaredType, first)
          dimensions = dimensionsOf(first)
        },
        holder
      ),
      (stored) => ({ contentType, dimensions, stored, holder })
    )
  })
