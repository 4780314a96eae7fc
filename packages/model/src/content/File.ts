/** A file of a space: an image or an attachment, which pages refer to by its id. */

import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { GitBlob } from "./Page.ts"

/** The id of a file. */
export const FileId = idSchema("The id of a file.").pipe(Schema.brand("FileId"))
/** The id of a file. */
export type FileId = string & Brand.Brand<"FileId">

/** The name of a file with its extension, 1 to 256 characters, without slashes. */
export const FileName = text({ min: 1, max: 256 }).check(
  Schema.isPattern(/^[^/\\\p{Cc}]+$/u, {
    message: "must be a name of a file, without slashes"
  })
)

/** The media type of a file, as in `image/png`. */
export const ContentType = Schema.String.check(
  Schema.isPattern(/^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/u, {
    message: "must be a media type as in image/png"
  })
)

/** The size of an image, in pixels. */
export class Dimensions extends resource<Dimensions>()(
  Schema.Struct({
    /** The width in pixels. */
    width: Schema.Int,
    /** The height in pixels. */
    height: Schema.Int
  })
) {}

/** A file of a space. */
export class File extends resource<File>()(
  Schema.Struct({
    /** The id of the file. */
    id: FileId,
    /** The name of the file with its extension. */
    name: Schema.String,
    /** The media type of the file, as in `image/png`. */
    contentType: Schema.String,
    /** A URL that serves the bytes, without a token, while the file exists. */
    downloadURL: Schema.String,
    /** The size of the file in bytes. */
    size: Schema.Int,
    /** The dimensions of an image. Absent for other files. */
    dimensions: Schema.optionalKey(Dimensions),
    /** The location of the file in a git repository. Absent if it is not set, or if `metadata` is false. */
    git: Schema.optionalKey(GitBlob)
  }).annotate({ identifier: "File" })
) {}
