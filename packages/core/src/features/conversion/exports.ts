export { catchUnreadable } from "./catchUnreadable.ts"
export { GitPacks, type GitPackTask, type GitPackTasks, type ProcessGitPack } from "./GitPacks.ts"
export { ImportReader, type ReadImport } from "./ImportReader.ts"
export {
  type ConvertMarkdown,
  type MarkdownConversion,
  type MarkdownConversions,
  MarkdownEngine
} from "./MarkdownEngine.ts"
export { NotReadable } from "./NotReadable.ts"
export type { ReadingKind, Readings } from "./Readings.ts"
