/** The options and the functions of an editor. */
import type { Command } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import type { ApiLoader } from "./apis/ApiLoader.ts"
import type { CommentAnchor, CommentThread, EditorBackend } from "./EditorBackend.ts"
import type { Messages } from "./messages/Messages.ts"
import type { Document } from "./model.ts"
import type { DraftStore } from "./saving/DraftStore.ts"
import type { SaveStatus, SaveTimes } from "./saving/SaveStatus.ts"
import type { OutlineEntry } from "./ui/documentInfo.ts"

/** A comment with its place in the editor. */
export interface CommentPlace {
  /** The id of the comment. */
  readonly id: string
  /** The comment as the backend listed it. */
  readonly thread: CommentThread
  /** The distance of its text from the top of the element of the editor in CSS pixels. `undefined` if the text was removed. */
  readonly top: number | undefined
}

/**
 * A host that displays the comments itself, such as in a margin. The editor marks their text, and has no panel. The host posts comments
 * with its own client, after `editor.save()`, and calls `editor.refreshComments()`.
 */
export interface CommentsHost {
  /** Called when comments or the text have changed, with all comments in the order of the text. Those without a place come last. */
  readonly onPlaces: (places: ReadonlyArray<CommentPlace>) => void
  /** Called when the writer starts a comment on the selected text or on a block. */
  readonly onStart: (anchor: CommentAnchor) => void
  /** Called with the ids of the comments whose text the writer has clicked on. */
  readonly onSelect: (ids: ReadonlyArray<string>) => void
}

/** Options of `createEditor`. */
export interface EditorOptions {
  /** The document to edit. With a backend, it is the one that the backend would load, with its `version`. */
  readonly document?: Document
  /** The version of `document`, on which saves are conditional. */
  readonly version?: string
  /** Where the document is loaded from and saved. Without one, the host reads the document in `onChange`. */
  readonly backend?: EditorBackend
  /** The messages of the interface: English by default, or the result of `loadMessages`. */
  readonly messages?: Messages
  /** The language of dates and numbers, such as `de`. The language of the page by default. */
  readonly language?: string
  /** Whether the text cannot be changed. */
  readonly isReadOnly?: boolean
  /**
   * Whether the writer has chosen to edit a document whose saves readers see immediately. Otherwise the editor requires a choice
   * before the first change, if the backend states that the document is `live`.
   */
  readonly isLiveEditConfirmed?: boolean
  /** The accessible name of the text. */
  readonly label?: string
  /** Where drafts are stored: in IndexedDB by default, `null` for nowhere. */
  readonly drafts?: DraftStore | null
  /** The times of saving, in milliseconds. */
  readonly times?: Partial<SaveTimes>
  /** Whether the style sheets are added to the page with `adoptedStyleSheets`. `true` by default. */
  readonly adoptsStyles?: boolean
  /** Displays the comments of the backend in place of the panel of the editor. */
  readonly comments?: CommentsHost
  /** Loads the displays of APIs, such as in a worker. By default, the page parses and displays what `loadApi` of the backend returns. */
  readonly apis?: ApiLoader
  /** Called after each change of the document by the writer. Converting the document costs time: call `document()` later. */
  readonly onChange?: (editor: Editor) => void
  /** Called when the state of saving changes. */
  readonly onStatus?: (status: SaveStatus) => void
}

/** An editor in a page. */
export interface Editor {
  /** The element of the editor. */
  readonly element: HTMLElement
  /** The view of ProseMirror, for extensions. */
  readonly view: EditorView
  /** Settled when the document is loaded, and its draft is restored. Rejects with the error of the backend. */
  readonly ready: Promise<void>
  /** Returns the document as it is edited. */
  readonly document: () => Document
  /** Replaces the document, with a new history of changes. */
  readonly setDocument: (document: Document, version?: string) => void
  /** Saves now. The promise is settled when the server has responded. */
  readonly save: () => Promise<void>
  /** Displays the text that others have saved. Text of the writer that is not saved is retained: its save merges both. */
  readonly refresh: () => Promise<void>
  /** Returns the state of saving. */
  readonly status: () => SaveStatus
  /** Runs a command of ProseMirror. Returns whether it applied. */
  readonly run: (command: Command) => boolean
  /** The headings of the document. */
  readonly outline: () => ReadonlyArray<OutlineEntry>
  /** Returns the number of words of the document. */
  readonly wordCount: () => number
  /** Moves the focus to the text. */
  readonly focus: () => void
  /** Displays the changes of the text against another version, such as the base of a change request; no longer for null. */
  readonly showChanges: (base: Document | null) => void
  /** Displays the changes against the base of the backend, or no longer. */
  readonly toggleChanges: () => Promise<void>
  /** Displays the document as Markdown, which can be edited, or as text again. */
  readonly toggleMarkdown: () => Promise<void>
  /** Opens or closes the panel with the comments. */
  readonly toggleComments: () => void
  /** Loads the comments of the backend again: after the host has posted, resolved or deleted one. */
  readonly refreshComments: () => Promise<void>
  /** Starts a comment on the selected text, or on the block with the cursor. */
  readonly startComment: () => void
  /** Returns the comments with their places, in the order of the text. */
  readonly comments: () => ReadonlyArray<CommentPlace>
  /** Scrolls to the text of a comment, and marks it; marks none for `undefined`. Returns whether the text exists. */
  readonly showComment: (id: string | undefined) => boolean
  /** Sets whether the text cannot be changed. */
  readonly setReadOnly: (isReadOnly: boolean) => void
  /** Removes the editor. The promise is settled when the draft is stored, and saved if the server responds. */
  readonly destroy: () => Promise<void>
}
