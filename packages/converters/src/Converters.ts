/** The converters of a workspace: PDF export, imports and OpenAPI documents, over one pool of threads. */
import { ImportReader, type MakePdf, type ParseSpec, PdfMaker, type Read, SpecParser } from "@lectern/core"
import { Context, Effect, Layer, type Scope } from "effect"
import { makeImportReader } from "./imports/importReader.ts"
import { type CpuLimits, defaultCpuLimits } from "./limits.ts"
import { makeSpecParser } from "./openapi-specs/specParser.ts"
import { makePdfRenderer } from "./pdf/pdfRenderer.ts"
import { makeThreadPool } from "./pool/ThreadPool.ts"

/** The limits of conversions. */
export interface ConvertersOptions {
  /** The most threads; 3 by default. They start as they are needed, and end after half a minute without a task. */
  readonly threads?: number
  /** The most megabytes of the JavaScript heap of each thread; 1024 by default. */
  readonly memoryMb?: number
  /**
   * The most milliseconds of CPU time of one task: 10,000 for a `page` of an import, 60,000 for an `archive`, a `pdf` and
   * a `spec` by default. More than that fails that task alone.
   */
  readonly cpuMs?: Partial<CpuLimits>
}

/** The converters, as `createWorkspace` takes them. */
export interface Converters {
  /** Reads pages, documents and archives of imports. */
  readonly importReader: Read
  /** Parses the documents of OpenAPI specs. */
  readonly specParser: ParseSpec
  /** Renders PDFs. */
  readonly pdfMaker: MakePdf
}

/** The program of the threads: compiled, or as a source. */
const program = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url)

/** Makes converters over a pool of their own, whose threads end when the scope closes. */
export const makeConverters = Effect.fnUntraced(function* ({
  threads = 3,
  memoryMb = 1024,
  cpuMs = {}
}: ConvertersOptions = {}): Effect.fn.Return<Converters, never, Scope.Scope> {
  const pool = yield* makeThreadPool({ program, threads, memoryMb, idleTime: "30 seconds" })
  const limits = { ...defaultCpuLimits, ...cpuMs }
  return {
    importReader: makeImportReader(pool, limits),
    specParser: makeSpecParser(pool, limits),
    pdfMaker: makePdfRenderer(pool, limits)
  }
})

/**
 * Provides `ImportReader`, `SpecParser` and `PdfMaker` of `@lectern/core`. Merge it into the services of a workspace
 * with `Layer.provideMerge`: PDFs look their renderer up when they are requested.
 *
 * @example
 * Workspace.layer.pipe(Layer.provideMerge(Converters.layer()), Layer.provide(storage))
 */
export const layer = (options?: ConvertersOptions): Layer.Layer<never> =>
  Layer.effectContext(
    Effect.map(makeConverters(options), ({ importReader, specParser, pdfMaker }) =>
      Context.make(ImportReader, importReader).pipe(
        Context.add(SpecParser, specParser),
        Context.add(PdfMaker, pdfMaker)
      )
    )
  )
