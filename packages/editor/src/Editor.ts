/** The options and the functions of an editor. */
import type { Command } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import type { EditorBackend } from "./EditorBackend.ts"
import type { Messages } from "./messages/Messages.ts"
import type { Document } from "./model.ts"
import type { DraftStore } from "./saving/DraftStore.ts"
import type { SaveStatus, SaveTimes } from "./saving/Saver.ts"
import type { OutlineEntry } from "./ui/documentInfo.ts"

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
  /** The accessible name of the text. */
  readonly label?: string
  /** Where drafts are stored: in IndexedDB by default, `null` for nowhere. */
  readonly drafts?: DraftStore | null
  /** The times of saving, in milliseconds. */
  readonly times?: Partial<SaveTimes>
  /** Whether the style sheets are added to the page with `adoptedStyleSheets`. `true` by default. */
  readonly adoptsStyles?: boolean
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
  /** Displays the document as Markdown, which can be edited, or as text again. */
  readonly toggleMarkdown: () => Promise<void>
  /** Opens or closes the panel with the comments. */
  readonly toggleComments: () => void
  /** Sets whether the text cannot be changed. */
  readonly setReadOnly: (isReadOnly: boolean) => void
  /** Removes the editor. The promise is settled when the draft is stored. */
  readonly destroy: () => Promise<void>
}
