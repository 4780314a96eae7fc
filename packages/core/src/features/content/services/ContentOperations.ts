/** The interface of the operations on content. */

import type { Command, Operation, Query } from "@lectern/access"
import type { ReadableBytes, StorageUnavailable } from "@lectern/kernel"
import type {
  ChangesQuery,
  ContentOf,
  ContentOptions,
  EditableContent,
  EditContent,
  EditResult,
  File,
  FileId,
  ListFiles,
  ListPages,
  Page,
  PageId,
  PageOptions,
  PageTree,
  ReusableContent,
  ReusableContentId,
  Revision,
  SemanticChanges
} from "@lectern/model/content"
import type { UpstreamFailed, UpstreamTimeout } from "@lectern/model/errors"
import type { Page as PageOf } from "@lectern/model/schema"
import type { Effect, Stream } from "effect"
import type { ContentError } from "../ContentAccess.ts"
import type { UploadedBytes } from "../edit/StoredFile.ts"
import type { Download } from "../FileUrls.ts"
import type { ReencodedBlobs } from "../reencodeBlobs.ts"

/** Operations on content, on behalf of the `CurrentUser`. */
export interface ContentOperations {
  /**
   * Applies a batch of 1 to 50 changes as one revision: all of them, or none. Returns the revision, the pages and
   * files that changed, and the change request, if the content belongs to one. Fails with `InvalidInput` if a change
   * cannot be applied, and with `Conflict` if the space is locked or the change request is closed. Files with a URL are
   * fetched before the transaction, which fails with `UpstreamFailed` or `UpstreamTimeout`.
   */
  readonly edit: Command<
    { content: EditableContent; input: EditContent },
    EditResult,
    ContentError | UpstreamFailed | UpstreamTimeout
  >
  /**
   * Stores the bytes of a file as they arrive, so that `edit` can add it as a `StoredFile`. Authorize the caller for `edit`
   * first, and call `discardUpload` afterwards. Bytes that do not arrive completely are deleted. Runs without a user.
   */
  readonly storeUpload: <E>(
    bytes: Stream.Stream<Uint8Array, E>,
    declaredType: string | undefined
  ) => Effect.Effect<UploadedBytes, E | StorageUnavailable>
  /** Deletes the bytes of an upload unless an edit has added them. Otherwise they remain until they are garbage-collected. */
  readonly discardUpload: (uploaded: UploadedBytes) => Effect.Effect<void>
  /**
   * Opens the bytes of a file, which are read in parts, for any client that has its signed URL, without a user. Returns undefined if the
   * signature is invalid, the space is deleted, or the file no longer exists. `isPublic` is whether a public site shows its space to
   * everyone.
   */
  readonly download: Operation<
    { file: Download; signature: string },
    (ReadableBytes & { readonly isPublic: boolean }) | undefined,
    StorageUnavailable,
    never
  >
  /**
   * Garbage-collects blobs that no revision reaches and that have been unused for a day. Returns how many blobs it
   * removed. Runs without a user.
   */
  readonly sweep: Effect.Effect<number, StorageUnavailable>
  /**
   * Removes the revisions that are older than `RevisionRetention`, except for revisions that a space, a change request, a comment,
   * a review, an archived page, a Git synchronization or an import refers to, and the parents of all that remain. Returns
   * how many revisions it removed: none if `RevisionRetention` is undefined. Runs without a user.
   */
  readonly expireRevisions: Effect.Effect<number, StorageUnavailable>
  /**
   * Removes the revisions that automatic saves replaced more than an hour ago, except for revisions that a row refers to, and returns
   * their number. Runs without a user.
   */
  readonly removeReplaced: Effect.Effect<number, StorageUnavailable>
  /**
   * Stores blobs again that were stored before compression, or restored from a backup: old versions as the difference from an
   * earlier version, and everything else compressed. Runs without a user.
   */
  readonly reencodeBlobs: Effect.Effect<ReencodedBlobs, StorageUnavailable>
  /**
   * Counts the bytes of the spaces that are not counted, such as copies of spaces, and spaces whose revisions have been removed.
   * Returns how many spaces it counted. Runs without a user.
   */
  readonly countSpaces: Effect.Effect<number, StorageUnavailable>
  /** Returns the whole content as a revision: its pages in their tree, its files and its reusable contents. */
  readonly getRevision: Query<{ content: ContentOf; input?: ContentOptions }, Revision, ContentError>
  /**
   * Returns pages of the content in their tree, without bodies: all of them by default, or `depth` levels below `parent`. Fails with
   * `NotFound` if the parent does not exist.
   */
  readonly listPages: Query<{ content: ContentOf; input?: ListPages }, PageTree, ContentError>
  /** Returns a page with the pages below it, and with its body if `format` is given. */
  readonly getPage: Query<{ content: ContentOf; page: PageId; input?: PageOptions }, Page, ContentError>
  /** Returns the page at a path of slugs. Leading and trailing slashes are ignored. */
  readonly getPageByPath: Query<{ content: ContentOf; path: string; input?: PageOptions }, Page, ContentError>
  /** Lists the files of the content, newest first. */
  readonly listFiles: Query<{ content: ContentOf; input?: ListFiles }, PageOf<File>, ContentError>
  /** Returns a file with its download URL. */
  readonly getFile: Query<{ content: ContentOf; file: FileId; input?: ContentOptions }, File, ContentError>
  /** Returns a reusable content, without its body. */
  readonly getReusableContent: Query<
    { content: ContentOf; reusableContent: ReusableContentId; input?: ContentOptions },
    ReusableContent,
    ContentError
  >
  /**
   * Lists the changes of pages, files and reusable contents: of a change request since the revision of the space that
   * it is based on, of other content since the revision before. Returns the first `limit` changes, 10 by default, and
   * the number of the others.
   */
  readonly listChanges: Query<{ content: ContentOf; input?: ChangesQuery }, SemanticChanges, ContentError>
}
