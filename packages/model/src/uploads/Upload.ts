/** Uploads of files to signed URLs, for operations that refer to the files by their keys. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"

/** The key of an upload. */
export const UploadKey = idSchema("The key of an upload.").pipe(Schema.brand("UploadKey"))

/** The key of an upload. */
export type UploadKey = string & Brand.Brand<"UploadKey">

/** The purpose of an upload. */
export const UploadKind = Schema.Literals(["customization_font", "import_file"]).annotate({
  identifier: "UploadKind"
})

/** The purpose of an upload. */
export type UploadKind = typeof UploadKind.Type

/** A request for a URL to upload a file to. */
export class CreateUpload extends resource<CreateUpload>()(
  Schema.Struct({
    /** The file. */
    file: Schema.Struct({
      /** The original name of the file. */
      name: text({ min: 1, max: 256 }),
      /** The media type of the file. It can be empty: the extension of the name then determines the format. */
      type: text({ max: 256 }),
      /** The exact size of the file, in bytes. */
      size: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
    }),
    /** The purpose of the file. Only an operation for this purpose accepts the key. */
    kind: UploadKind
  }).annotate({ identifier: "CreateUpload" })
) {}

/** A URL to upload a file to. */
export class UploadUrl extends resource<UploadUrl>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("storage-signed-url"),
    /**
     * The URL to send the file to, as the body of a PUT request without a token. It is valid for an hour. A repeated request
     * replaces the file.
     */
    url: Schema.String,
    /** The key of the file. Operations accept it from the same user, for 24 hours. */
    key: Schema.String
  }).annotate({ identifier: "UploadUrl" })
) {}
