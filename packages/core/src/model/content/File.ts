/** A file of a space: an image or an attachment, which pages refer to by its id. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { text } from "../../kernel/schema/Text.ts"
import { GitBlob } from "./Page.ts"

export const FileId = idSchema("The id of a file.").pipe(Schema.brand("FileId"))
export type FileId = typeof FileId.Type

/** The name of a file with its extension, 1 to 256 characters, without slashes. */
export const FileName = text({ min: 1, max: 256 }).check(
  Schema.isPattern(/^[^/\\\p{Cc}]+$/u, { message: "must be a name of a file, without slashes" })
)

/** The type of what is in a file, as in `image/png`. */
export const ContentType = Schema.String.check(
  Schema.isPattern(/^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/u, {
    message: "must be a media type as in image/png"
  })
)

/** The size of an image, in pixels. */
export const Dimensions = Schema.Struct({ width: Schema.Int, height: Schema.Int })
export type Dimensions = typeof Dimensions.Type

/** A file, as the specification shows one. `size` is in bytes; `dimensions` are there of images. */
export const File = Schema.Struct({
  id: FileId,
  name: Schema.String,
  contentType: Schema.String,
  downloadURL: Schema.String.annotate({
    description: "Serves the bytes, without a token, while the file exists."
  }),
  size: Schema.Int,
  dimensions: Schema.optionalKey(Dimensions),
  git: Schema.optionalKey(GitBlob)
}).annotate({ identifier: "File" })
export type File = typeof File.Type
