/** The converters of this process, for hosts without Effect. All workspaces share one pool of threads. */
import type { ConvertMarkdown, MakePdf, ParseSpec, ProcessGitPack, ReadImport } from "@lectern/formats"
import { Effect, Scope } from "effect"
import { type Converters, makeConverters } from "./Converters.ts"

let shared: Converters | undefined

/**
 * Returns the converters of this process. Their threads start with the first task, and do not keep the process alive.
 *
 * @example
 * const workspace = createWorkspace({ storage: sqlite("docs.db"), ...converters() })
 */
export const converters = (): Converters => {
  // The scope is never closed: threads end when they are idle.
  shared ??= Effect.runSync(Scope.provide(makeConverters(), Scope.makeUnsafe()))
  return shared
}

/** Returns the Markdown engine, over the threads of {@link converters}. */
export const markdownEngine = (): ConvertMarkdown => converters().markdownEngine

/** Returns the processor of packfiles of Git, over the threads of {@link converters}. */
export const gitPacks = (): ProcessGitPack => converters().gitPacks

/** Returns the readers of imports, over the threads of {@link converters}. */
export const importReader = (): ReadImport => converters().importReader

/** Returns the parser of OpenAPI documents, over the threads of {@link converters}. */
export const specParser = (): ParseSpec => converters().specParser

/** Returns the PDF renderer, over the threads of {@link converters}. */
export const pdfRenderer = (): MakePdf => converters().pdfMaker
