/** The converters of this process, for hosts without Effect: one pool, whoever uses it. */
import type { MakePdf, ParseSpec, Read } from "@lectern/core"
import { Effect, Scope } from "effect"
import { type Converters, makeConverters } from "./Converters.ts"

let shared: Converters | undefined

/**
 * Returns the converters of this process. Their threads start with the first task, and keep no process alive.
 *
 * @example
 * const workspace = createWorkspace({ storage: sqlite("docs.db"), ...converters() })
 */
export const converters = (): Converters => {
  // The scope is never closed: idle threads end by themselves.
  shared ??= Effect.runSync(Scope.provide(makeConverters(), Scope.makeUnsafe()))
  return shared
}

/** Returns what reads imports, over the threads of {@link converters}. */
export const importReader = (): Read => converters().importReader

/** Returns what parses the documents of OpenAPI specs, over the threads of {@link converters}. */
export const specParser = (): ParseSpec => converters().specParser

/** Returns what renders PDFs, over the threads of {@link converters}. */
export const pdfRenderer = (): MakePdf => converters().pdfMaker
