export {
  type ChangedPage,
  ChangesQuery,
  SemanticChange,
  SemanticChanges,
  SemanticChangeType
} from "./Changes.ts"
export { ContentOf, EditableContent } from "./ContentOf.ts"
export { ContentOptions, DocumentOptions, ListFiles, PageOptions, PagePath } from "./ContentOptions.ts"
export {
  ComputeDocument,
  ComputedRevision,
  ComputeRevision,
  DocumentId,
  DocumentSchemaQuery
} from "./DocumentInput.ts"
export type * as DocumentBlock from "./document/Block.ts"
export { Block } from "./document/Block.ts"
export { type Definition, type Footnote, JsonDocument } from "./document/Document.ts"
export type * as DocumentInline from "./document/Inline.ts"
export {
  Body,
  ContentChange,
  EditContent,
  type InsertPage,
  type RevertPage,
  type UpdatePage
} from "./EditContent.ts"
export { EditedContent, EditedPage, type EditResult } from "./EditedContent.ts"
export { type Dimensions, File, FileId } from "./File.ts"
export type { NewFile } from "./FileEdits.ts"
export { ArchivedPage, RevisionChanges, RevisionSummary } from "./History.ts"
export { MergeConflict, type Region } from "./MergeConflict.ts"
export { MergePreview, MergeResult, UpdateResult } from "./MergeResult.ts"
export {
  type ComputedSource,
  type ContentRef,
  type GitBlob,
  type ImageRef,
  Page as ContentPage,
  type PageCover,
  PageId,
  type PageLayout,
  PageMetaLinks,
  type PageTree,
  PageType
} from "./Page.ts"
export { ReusableContent, ReusableContentId } from "./ReusableContent.ts"
export { type GitCommit, Revision, RevisionId, RevisionType } from "./Revision.ts"
