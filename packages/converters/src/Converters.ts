/** Creates the converters of a workspace: Markdown, imports, packfiles of Git, OpenAPI documents and PDFs, over one pool of threads. */
import {
  GitPacks,
  ImportReader,
  type MakePdf,
  MarkdownEngine,
  type ParseSpec,
  PdfMaker,
  SpecParser
} from "@lectern/formats"
import { Context, Effect, Layer, type Scope } from "effect"
import { makeReadPorts, type ReadPorts } from "./imports/importReader.ts"
import { type CpuLimits, defaultCpuLimits } from "./limits.ts"
import { makeSpecParser } from "./openapi-specs/specParser.ts"
import { makePdfRenderer } from "./pdf/pdfRenderer.ts"
import { makeThreadPool } from "./pool/ThreadPool.ts"
import { threadProgram } from "./threadProgram.ts"

/** Options of {@link makeConverters} and {@link layer}. */
export interface ConvertersOptions {
  /** The maximum number of threads; 3 by default. Threads start as needed and end after 30 s to 60 s without a task. */
  readonly threads?: number
  /** The maximum size of each thread's JavaScript heap, in megabytes; 1024 by default. */
  readonly memoryMb?: number
  /**
   * The maximum CPU time of one task, in milliseconds. By default 10,000 for a `page` of an import, 3,000 for
   * the `text` of a page that is saved or read, and 60,000 for an
   * `archive`, a `pdf` and a `spec`, and as often for a `pdf` as it has 250 pages, rounded up. A task that exceeds its limit fails, without an effect on other tasks.
   */
  readonly cpuMs?: Partial<CpuLimits>
  /**
   * The paths of font files (TrueType or OpenType) for PDFs, in order of preference. They have precedence over the
   * default fonts for all characters that Noto Sans does not contain. By default, the paths in the environment variable
   * `LECTERN_PDF_FONTS`, separated by commas.
   */
  readonly pdfFonts?: ReadonlyArray<string>
}

/** The converters, in the form of `createWorkspace`'s options. */
export interface Converters extends ReadPorts {
  /** Parses the documents of OpenAPI specs. */
  readonly specParser: ParseSpec
  /** Renders PDFs. */
  readonly pdfMaker: MakePdf
}

const fontsOfEnvironment = (): ReadonlyArray<string> =>
  (process.env.LECTERN_PDF_FONTS ?? "")
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "")

/** Creates converters over a separate pool, whose threads end when the scope closes. */
export const makeConverters = Effect.fnUntraced(function* ({
  threads = 3,
  memoryMb = 1024,
  cpuMs = {},
  pdfFonts = fontsOfEnvironment()
}: ConvertersOptions = {}): Effect.fn.Return<Converters, never, Scope.Scope> {
  const pool = yield* makeThreadPool({ program: threadProgram, threads, memoryMb, idleTime: "30 seconds" })
  const limits = { ...defaultCpuLimits, ...cpuMs }
  return {
    ...makeReadPorts(pool, limits),
    specParser: makeSpecParser(pool, limits),
    pdfMaker: makePdfRenderer(pool, limits, pdfFonts)
  }
})

/**
 * Provides `MarkdownEngine`, `ImportReader`, `GitPacks`, `SpecParser` and `PdfMaker` of `@lectern/core`. Merge it into the services of a workspace
 * with `Layer.provideMerge`: the PDF renderer is resolved when a PDF is requested, not when the layer is built.
 *
 * @example
 * Workspace.layer.pipe(Layer.provideMerge(Converters.layer()), Layer.provide(storage))
 */
export const layer = (options?: ConvertersOptions): Layer.Layer<never> =>
  Layer.effectContext(
    Effect.map(makeConverters(options), ({ markdownEngine, importReader, gitPacks, specParser, pdfMaker }) =>
      Context.make(ImportReader, importReader).pipe(
        Context.add(MarkdownEngine, markdownEngine),
        Context.add(GitPacks, gitPacks),
        Context.add(SpecParser, specParser),
        Context.add(PdfMaker, pdfMaker)
      )
    )
  )
