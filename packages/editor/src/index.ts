/** The editing surface of Lectern: every block of the document model, without loss. */

export type { ApiLoader, ApiRequest } from "./apis/ApiLoader.ts"
export { fromDocument, schema, toDocument } from "./convert.ts"
export { createEditor } from "./createEditor.ts"
export type { CommentPlace, CommentsHost, Editor, EditorOptions } from "./Editor.ts"
export * from "./EditorBackend.ts"
export { en } from "./messages/en.ts"
export { languages, loadMessages, type Messages } from "./messages/Messages.ts"
export { type Draft, type DraftStore, IndexedDrafts, MemoryDrafts } from "./saving/DraftStore.ts"
export type { SaveStatus, SaveTimes } from "./saving/SaveStatus.ts"
export type { OutlineEntry } from "./ui/documentInfo.ts"
