/** The changes of files in a batch. `insert_files` is part of the public contract; the others are extensions of Lectern. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Url } from "../schema/Url.ts"
import { batchRef } from "./batchRef.ts"
import { ContentType, FileId, FileName } from "./File.ts"
import { GitBlob } from "./Page.ts"
import { RevisionId } from "./Revision.ts"

/** The maximum size of a file in a batch, in bytes: 1 MiB. */
export const maximumFileBytes = 1024 * 1024

/** A file to add. */
export class NewFile extends resource<NewFile>()(
  Schema.Struct({
    /**
     * A name within the batch, 1 to 100 letters, digits and characters of `_.-`. Links of the batch to `./{ref}`
     * resolve to the file.
     */
    ref: batchRef,
    /** The name of the file with its extension, 1 to 256 characters, without slashes. */
    name: FileName,
    /**
     * The media type of the file, as in `image/png`. Required with `base64`. The default for a `url` is the type in its
     * response.
     */
    contentType: Schema.optionalKey(ContentType),
    /** The bytes of the file in base64, at most 1 MiB after decoding. Required without `url`. */
    base64: Schema.optionalKey(
      Schema.String.check(
        Schema.makeFilter((value: string) =>
          value.length > Math.ceil(maximumFileBytes / 3) * 4
            ? "must be at most 1 MiB after decoding"
            : undefined
        )
      )
    ),
    /** The URL to fetch the file from, at most 200 MiB. It must be publicly accessible. */
    url: Schema.optionalKey(Url),
    /** The location of the file in a git repository. */
    git: Schema.optionalKey(GitBlob)
  })
) {}

/** Adds files. */
export class InsertFiles extends resource<InsertFiles>()(
  Schema.Struct({
    /** The operation: adds files. */
    operation: Schema.Literal("insert_files"),
    /** The files to add, 1 to 20. */
    files: Schema.Array(NewFile).check(
      Schema.isMinLength(1, { message: "must be 1 to 20 files" }),
      Schema.isMaxLength(20, { message: "must be 1 to 20 files" })
    )
  })
) {}

/** Updates a file, which keeps its id, so that pages that use it display the new version. Absent fields do not change. */
export class UpdateFile extends resource<UpdateFile>()(
  Schema.Struct({
    /** The operation: updates a file. */
    operation: Schema.Literal("update_file"),
    /** The id of the file. */
    file: FileId,
    /** The new name of the file with its extension, 1 to 256 characters, without slashes. */
    name: Schema.optionalKey(FileName),
    /**
     * The id of another file of this content, such as an upload, whose bytes, media type and dimensions the file gets. The other
     * file remains; a later change of the batch can delete it.
     */
    bytesOf: Schema.optionalKey(FileId)
  })
) {}

/** Deletes files. */
export class DeleteFiles extends resource<DeleteFiles>()(
  Schema.Struct({
    /** The operation: deletes files. */
    operation: Schema.Literal("delete_files"),
    /** The ids of the files to delete, 1 to 100. */
    files: Schema.Array(FileId).check(
      Schema.isMinLength(1, { message: "must be 1 to 100 files" }),
      Schema.isMaxLength(100, { message: "must be 1 to 100 files" })
    )
  })
) {}

/** Reverts a file to its state in a revision. A file that the revision does not have is deleted. */
export class RevertFile extends resource<RevertFile>()(
  Schema.Struct({
    /** The operation: reverts a file. */
    operation: Schema.Literal("revert_file"),
    /** The id of the file. */
    file: FileId,
    /** The id of a revision of the space. By default the base of the change request, or the previous revision. */
    revision: Schema.optionalKey(RevisionId)
  })
) {}
