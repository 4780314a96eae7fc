/**
 * The interface between the editor and the place that stores the document. A host implements {@link EditorBackend}, or uses
 * `createClientBackend` of `@lectern/editor/backend`.
 */
import type { ContentRef, Document, ImageRef } from "./model.ts"

/** A document with the version that a save is conditional on. */
export interface VersionedDocument {
  /** The document. */
  readonly document: Document
  /** An opaque version, such as an entity tag. It changes with each change of the document. */
  readonly version: string
}

/** A document to save. */
export interface SaveRequest {
  /** The document as it was edited. */
  readonly document: Document
  /** The version that the document was edited from. The save must not be applied to another one. */
  readonly version: string
  /** Aborted when the editor is destroyed. */
  readonly signal: AbortSignal
}

/** The result of a save: the new version, or the document that another user saved in between. */
export type SaveResult =
  | { readonly _tag: "Saved"; readonly version: string }
  | { readonly _tag: "Changed"; readonly current: VersionedDocument }

/** Why a call of a backend failed. `unavailable` is temporary, and the editor repeats the call. */
export type BackendFailureReason = "unavailable" | "signed-out" | "forbidden" | "not-found" | "rejected"

/** The error that a backend rejects with. Other errors are treated as `unavailable`. */
export class BackendFailure extends Error {
  override readonly name = "BackendFailure"
  /** Why the call failed. */
  readonly reason: BackendFailureReason
  /** The index of the block of the document that was not accepted, from 0. Absent for an error of another part. */
  readonly block: number | undefined

  constructor(
    reason: BackendFailureReason,
    message: string,
    options?: ErrorOptions & { readonly block?: number | undefined }
  ) {
    super(message, options)
    this.reason = reason
    this.block = options?.block
  }
}

/** A file that was uploaded. */
export interface UploadedFile {
  /** The reference to the file in documents. */
  readonly ref: ImageRef
  /** The name of the file with its extension. */
  readonly name: string
  /** The URL that the browser loads the file from. */
  readonly url: string
}

/** Options of an upload. */
export interface UploadOptions {
  /** Aborted when the editor is destroyed. */
  readonly signal: AbortSignal
  /** Called with the part of the file that was sent, from 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/** A page, a section of a page, or a file that can be linked. */
export interface LinkSuggestion {
  /** The reference to the target in documents. */
  readonly ref: ContentRef
  /** The title of the page, the heading or the file. */
  readonly title: string
  /** The place of the target, such as the titles of the pages above it. */
  readonly detail?: string
  /** The emoji of the page. */
  readonly emoji?: string
}

/** A person who can be mentioned. */
export interface PersonSuggestion {
  /** The id of the user, which the mention refers to. */
  readonly id: string
  /** The display name. */
  readonly name: string
  /** A second line that distinguishes people of the same name, such as an email address. */
  readonly detail?: string
}

/** A reusable content that can be inserted. */
export interface ReusableContentSuggestion {
  /** The id of the reusable content. */
  readonly id: string
  /** The title of the reusable content. */
  readonly title: string
}

/** An OpenAPI document that blocks display parts of. */
export interface ApiDocument {
  /** The parsed document. Its references are pointers within it. */
  readonly document: unknown
  /** The URL of the document, which relative URLs of servers are resolved against. */
  readonly url?: string
}

/** A block of an integration. */
export interface IntegrationBlockDescription {
  /** The id of the block, which documents refer to. */
  readonly id: string
  /** The title of the block. */
  readonly title: string
  /** The URL of its icon. */
  readonly icon?: string
}

/** An integration with its blocks. */
export interface IntegrationDescription {
  /** The name of the integration, which documents refer to. */
  readonly name: string
  /** The title of the integration. */
  readonly title: string
  /** The URL of its icon. */
  readonly icon?: string
  /** The blocks that it adds to documents. */
  readonly blocks: ReadonlyArray<IntegrationBlockDescription>
}

/** The title and the URLs that a reference displays. */
export interface ResolvedReference {
  /** The title of the target. */
  readonly title: string
  /** The URL that opens the target. */
  readonly href?: string
  /** The URL of an image or of a file. */
  readonly source?: string
  /** The size of the file in bytes. */
  readonly bytes?: number
  /** The emoji of the page. */
  readonly emoji?: string
  /** The line below the title, such as the description of the page. */
  readonly detail?: string
  /** The document of a reusable content, which is displayed in place of the reference. */
  readonly document?: Document
}

/** A part of the text of a block, with the text around it, by which it is found again after the text has moved. */
export interface Quote {
  /** The text without marks, 1 to 1,000 characters. */
  readonly text: string
  /** The text directly before it in its block, at most 100 characters. */
  readonly before: string
  /** The text directly after it in its block, at most 100 characters. */
  readonly after: string
}

/** The place of a comment in a document. It is preserved when the text around it changes. */
export interface CommentAnchor {
  /** The key of the block in the saved document when the comment was posted. */
  readonly block?: string
  /** The start of the text of the block when the comment was posted, by which a block is found that has moved since. */
  readonly preview?: string
  /** The selected text, and the text before and after it. Absent for a comment on the whole block. */
  readonly quote?: Quote
}

/** A reply to a comment. */
export interface CommentReply {
  /** The id of the comment. */
  readonly id: string
  /** The display name of the author. */
  readonly author: string
  /** The comment as plain text. */
  readonly text: string
  /** The time in ISO 8601. */
  readonly postedAt: string
}

/** A comment with its replies. */
export interface CommentThread extends CommentReply {
  /** The place of the comment in the document. */
  readonly anchor: CommentAnchor
  /** Whether the comment is resolved. The text of a resolved comment is not highlighted. */
  readonly isResolved: boolean
  /** The replies, oldest first. */
  readonly replies: ReadonlyArray<CommentReply>
}

/** The comments on a document. */
export interface CommentsBackend {
  /** Returns the comments on the document with their replies. */
  list(signal: AbortSignal): Promise<ReadonlyArray<CommentThread>>
  /**
   * Posts a comment on a place of the document, and returns it. The editor saves the document before. A backend whose document
   * does not have the block posts the comment by its quote or its preview.
   */
  post(anchor: CommentAnchor, text: string): Promise<CommentThread>
  /** Posts a reply to the comment with the id `thread`, and returns it. */
  reply(thread: string, text: string): Promise<CommentReply>
  /** Resolves the comment with the id `thread`, or reopens it. */
  resolve(thread: string, isResolved: boolean): Promise<void>
}

/** A person who has the document open. */
export interface Presence {
  /** An id that is unique for each open editor. */
  readonly id: string
  /** The display name of the person. */
  readonly name: string
  /** Whether the person changed the document in the last minutes. */
  readonly isEditing: boolean
}

/** Who else has the document open. */
export interface PresenceBackend {
  /**
   * Announces this editor, and returns the others. The editor calls it every `intervalMs`, and when it starts and stops to
   * change the document. An announcement that is not repeated expires.
   */
  announce(state: { readonly isEditing: boolean }, signal: AbortSignal): Promise<ReadonlyArray<Presence>>
  /** Withdraws the announcement when the editor is closed. */
  leave(): void
  /** The time between two announcements in milliseconds, at least 1,000. */
  readonly intervalMs: number
}

/**
 * How a document can be edited. Each save of a `live` document changes what its readers see, so the editor requires a choice before the first change;
 * a `locked` document cannot be edited here.
 */
export type EditMode = "draft" | "live" | "locked"

/** The place that stores the document. Optional members hide the features that need them. */
export interface EditorBackend {
  /** A name that identifies the document in the browser's storage, such as `space/change/page`. */
  readonly name: string
  /** Where the text is saved, in words for the status, such as `change request #12`. */
  readonly place?: string
  /** Loads the document and its version. Rejects with a {@link BackendFailure}. */
  load(signal: AbortSignal): Promise<VersionedDocument>
  /** Returns how the document can be edited. Absent for `draft`. */
  editMode?(signal: AbortSignal): Promise<EditMode>
  /**
   * Returns the document that the changes are displayed against, such as the base of a change request; an empty document for a new page.
   * Absent if the document has no base.
   */
  loadBase?(signal: AbortSignal): Promise<Document>
  /** Saves the document if its version is current. Rejects with a {@link BackendFailure}. */
  save(request: SaveRequest): Promise<SaveResult>
  /** Uploads a file, and returns its reference. Absent if files cannot be uploaded. */
  upload?(file: File, options: UploadOptions): Promise<UploadedFile>
  /** Returns the pages and other link targets that match a query, best first; of an empty query, the first ones. */
  searchPages?(query: string, signal: AbortSignal): Promise<ReadonlyArray<LinkSuggestion>>
  /** Returns the people who can be mentioned and match a query. */
  searchPeople?(query: string, signal: AbortSignal): Promise<ReadonlyArray<PersonSuggestion>>
  /** Returns the reusable contents that match a query. */
  searchReusableContents?(
    query: string,
    signal: AbortSignal
  ): Promise<ReadonlyArray<ReusableContentSuggestion>>
  /**
   * Loads the OpenAPI document of a source: the slug of a spec, the URL of its source, or `/files/` and the id of a file. `undefined` if it
   * does not exist. Absent if blocks of OpenAPI are displayed as cards.
   */
  loadApi?(source: string, signal: AbortSignal): Promise<ApiDocument | undefined>
  /** Returns the slugs of the specs that can be chosen. */
  listApis?(signal: AbortSignal): Promise<ReadonlyArray<string>>
  /** Returns the integration with a name; `undefined` if it does not exist. */
  findIntegration?(name: string, signal: AbortSignal): Promise<IntegrationDescription | undefined>
  /** Returns the integrations whose blocks can be inserted. */
  listIntegrations?(signal: AbortSignal): Promise<ReadonlyArray<IntegrationDescription>>
  /** Resolves a reference to its title and its URLs. `undefined` if the target does not exist. */
  resolve?(
    ref: ContentRef | { readonly kind: "reusable-content"; readonly reusableContent: string }
  ): Promise<ResolvedReference | undefined>
  /** The comments on the document. */
  readonly comments?: CommentsBackend
  /** The other people who have the document open. */
  readonly presence?: PresenceBackend
}
