/** Tests of the converters of a workspace: their limits, and the isolation of documents from each other. */
import {
  Converters,
  converters,
  gitPacks,
  importReader,
  markdownEngine,
  pdfRenderer,
  specParser
} from "@lectern/converters"
import { renderPdf } from "@lectern/converters/pdf"
import { type Book, type FileId, NotReadable, ParseFailed, PdfFailed, type PdfProgress } from "@lectern/core"
import { fromMarkdown } from "@lectern/core/content"
import { runs } from "@lectern/harness"
import { Effect, Exit, Scope, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

/** Creates converters whose threads end with the test. */
const openConverters = (options: Converters.ConvertersOptions = {}): Promise<Converters.Converters> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(Scope.provide(Converters.makeConverters(options), scope))
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const head = "openapi: 3.0.0\ninfo: {title: API, version: '1'}\n"

/** A valid document that takes seconds of CPU time to parse. */
const slowSpec = `${head}paths:\n${Array.from({ length: 60_000 }, (_, index) => `  /p${index}:\n    get: {responses: {}}\n`).join("")}`

/** A valid document of 64 bytes. */
const smallSpec = `${head}paths: {} # yes\n`

/** A page that takes quadratic time to parse. */
const slowHtml = encode("<a>".repeat(30_000))
const smallHtml = encode("<h1>Title</h1><p>Text</p>")

/** The start of a JPEG of one pixel. */
const jpeg = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 1, 0, 1, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]

const bookOf = (markdown: string): Book => ({
  title: "Book",
  date: "2026-01-01T00:00:00.000Z",
  hasContents: false,
  pages: [
    {
      id: "p" as Book["pages"][number]["id"],
      depth: 0,
      type: "document",
      title: "Page",
      path: "page",
      markdown
    }
  ],
  addresses: new Map(),
  paths: new Map(),
  files: new Map()
})

describe("the spec parser", () => {
  it("fails a document that exceeds the CPU limit, and parses a concurrent small one", async () => {
    expect(smallSpec.length).toBe(64)
    const { specParser } = await openConverters({ cpuMs: { spec: 500 } })
    const [slow, small] = await Effect.runPromise(
      Effect.all([Effect.flip(specParser(encode(slowSpec), true)), specParser(encode(smallSpec), true)], {
        concurrency: "unbounded"
      })
    )
    expect(slow).toEqual(
      ParseFailed.of([
        {
          code: "TOO_LARGE",
          message: "The document takes more than 0.5 s of CPU time to parse.",
          severity: "error"
        }
      ])
    )
    expect(JSON.parse(new TextDecoder().decode(small.json)).info).toEqual({ title: "API", version: "1" })
  })

  it("fails a document that exceeds the memory limit, and parses a concurrent small one", async () => {
    const { specParser } = await openConverters({ memoryMb: 48 })
    const [large, small] = await Effect.runPromise(
      Effect.all([Effect.flip(specParser(encode(slowSpec), true)), specParser(encode(smallSpec), true)], {
        concurrency: "unbounded"
      })
    )
    expect(large).toEqual(
      ParseFailed.of([
        {
          code: "TOO_LARGE",
          message: "The document takes more than 48 MB of memory to parse.",
          severity: "error"
        }
      ])
    )
    expect(small.files).toEqual([])
  })

  it("processes a document of 20 MB, and small documents while large ones wait", async () => {
    const { specParser } = await openConverters()
    const schema = { type: "object", properties: { name: { type: "string", description: "x".repeat(900) } } }
    const schemas = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`Model${index}`, schema])
    )
    const paths = { "/models": { get: { responses: {} } } }
    const document = encode(
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "API", version: "1" },
        paths,
        components: { schemas }
      })
    )
    expect(document.length).toBeGreaterThan(19_000_000)
    expect(document.length).toBeLessThan(20 * 1024 * 1024)
    const ended: Array<string> = []
    const end = (name: string) => Effect.sync(() => ended.push(name))
    const [parsed] = await Effect.runPromise(
      Effect.all(
        [
          Effect.tap(specParser(document, true), end("large")),
          Effect.tap(specParser(document, true), end("large")),
          Effect.tap(specParser(encode(smallSpec), true), end("small"))
        ],
        { concurrency: "unbounded" }
      )
    )
    expect(Buffer.from(parsed.json).equals(document)).toBe(true)
    expect(ended.at(-1)).toBe("large")
    const pages = await Effect.runPromise(
      specParser.generatePages!(encode(`{"a.json":${Buffer.from(document)}}`))
    )
    expect(pages.map(({ title }) => title)).toEqual(["Operations", "Models"])
  })

  it("fails with ParseFailed for an invalid document", async () => {
    const { specParser } = await openConverters()
    expect(await Effect.runPromise(Effect.flip(specParser(encode("{}"), true)))).toBeInstanceOf(ParseFailed)
  })
})

it("concurrent conversions of any kinds succeed or fail independently of each other", async () => {
  const { specParser, importReader, pdfMaker } = await openConverters({
    cpuMs: { spec: 500, page: 500 }
  })
  const page = (bytes: Uint8Array) =>
    importReader("html", { bytes, url: "https://acme.example/", mark: "m", isWhole: true })
  const kinds = {
    slowSpec: [specParser(encode(slowSpec), true), "ParseFailed"],
    smallSpec: [specParser(encode(smallSpec), true), "success"],
    slowPage: [page(slowHtml), "NotReadable"],
    smallPage: [page(smallHtml), "success"],
    noArchive: [importReader("zipIndex", { bytes: encode("nothing"), count: 1 }), "NotReadable"],
    pdf: [Stream.runDrain(pdfMaker(bookOf("Text"))), "success"]
  } as const
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...(Object.keys(kinds) as Array<keyof typeof kinds>)), {
        minLength: 2,
        maxLength: 8
      }),
      async (names) => {
        const outcomes = await Promise.all(
          names.map((name) => {
            const conversion: Effect.Effect<unknown, ParseFailed | NotReadable | PdfFailed> = kinds[name][0]
            return Effect.runPromise(
              Effect.match(conversion, {
                onSuccess: () => "success",
                onFailure: ({ _tag }) => _tag as string
              })
            )
          })
        )
        expect(outcomes).toEqual(names.map((name) => kinds[name][1]))
      }
    ),
    runs(3)
  )
})

describe("the import reader and the Markdown engine", () => {
  it("reports the CPU limit that a page exceeds", async () => {
    const { importReader } = await openConverters({ cpuMs: { page: 200 } })
    const read = importReader("html", { bytes: slowHtml, url: "https://acme.example/", mark: "m" })
    expect(await Effect.runPromise(Effect.flip(read))).toEqual(
      new NotReadable({ message: "points to content that takes more than 0.2 s of CPU time to read" })
    )
  })

  it("writes a document over Markdown as the main thread does", async () => {
    const { markdownEngine } = await openConverters()
    const markdown = "Title\n=====\n\n* a\n* b\n"
    const document = fromMarkdown("# Title\n\n- a\n- c\n")
    const written = await Effect.runPromise(markdownEngine("update", { bytes: encode(markdown), document }))
    expect(written).toBe("Title\n=====\n\n* a\n* c\n")
  })

  it("reads an outline while the queue of pages is busy", async () => {
    const { importReader, markdownEngine } = await openConverters()
    const waiting = Array.from({ length: 20 }, () =>
      Effect.runFork(importReader("html", { bytes: slowHtml, url: "https://acme.example/", mark: "m" }))
    )
    const outline = await Effect.runPromise(
      markdownEngine("outline", { bytes: encode("# Heading\n\nwords") })
    )
    expect(outline.sections.map(({ anchor }) => anchor)).toEqual(["heading"])
    // None of the pages has been read yet.
    expect(waiting.map((fiber) => fiber.pollUnsafe())).toEqual(waiting.map(() => undefined))
    for (const fiber of waiting) fiber.interruptUnsafe()
  })
})

describe("the PDF renderer", () => {
  it("reports the CPU limit that a book exceeds", async () => {
    const { pdfMaker } = await openConverters({ cpuMs: { pdf: 100 } })
    const failed = await Effect.runPromise(
      Effect.flip(Stream.runDrain(pdfMaker(bookOf("word ".repeat(200_000)))))
    )
    expect(failed).toEqual(
      new PdfFailed({
        message:
          "This content takes more than 0.1 s of CPU time to render. Export a part of it: one page, or the pages below one."
      })
    )
  })

  it("multiplies the CPU limit for books with more than 250 pages, and reports the progress", async () => {
    const { pdfMaker } = await openConverters({ cpuMs: { pdf: 100 } })
    const { pages, ...book } = bookOf("word ".repeat(500_000))
    const empty = Array.from({ length: 250 }, (_, index) => ({
      ...pages[0]!,
      id: `empty${index}` as Book["pages"][number]["id"],
      markdown: ""
    }))
    const progress: Array<PdfProgress> = []
    const failed = await Effect.runPromise(
      Effect.flip(
        Stream.runDrain(
          pdfMaker({ ...book, pages: [empty[0]!, ...pages, ...empty.slice(1)] }, (one) => progress.push(one))
        )
      )
    )
    expect(failed.message).toContain("more than 0.2 s of CPU time")
    expect(progress).toEqual([{ rendered: 1, total: 251 }])
  })

  it("rejects a PDF while 34 are rendered or wait, and accepts others later", async () => {
    const { pdfMaker } = await openConverters()
    const long = bookOf("word ".repeat(500_000))
    const fibers = Array.from({ length: 34 }, () => Effect.runFork(Stream.runDrain(pdfMaker(long))))
    const rejected = await Effect.runPromise(Effect.flip(Stream.runDrain(pdfMaker(bookOf("Text")))))
    expect(rejected).toEqual(new PdfFailed({ message: "Too many PDFs are being rendered. Try again later." }))
    for (const fiber of fibers) fiber.interruptUnsafe()
    const blocks = await Effect.runPromise(Stream.runCollect(pdfMaker(bookOf("Text"))))
    expect(Buffer.concat(blocks).subarray(0, 5).toString()).toBe("%PDF-")
  })

  it("streams the bytes of a book, and waits for a slow consumer", async () => {
    const { pdfMaker } = await openConverters()
    // Images cannot be compressed further, so that the PDF has many blocks.
    const file = (index: number) => {
      const image = new Uint8Array(2_000_000)
      image.set(jpeg)
      image[image.length - 1] = index
      return image
    }
    const ids = Array.from({ length: 6 }, (_, index) => `f${index}` as FileId)
    const files = new Map(
      ids.map((id, index) => [
        id,
        { name: `${id}.jpg`, url: `https://acme.example/${id}`, image: file(index) }
      ])
    )
    const book = { ...bookOf(ids.map((id) => `![Image](/files/${id})`).join("\n\n")), files }
    const expected = await renderPdf(book)
    const blocks: Array<Uint8Array> = []
    const consumed = Stream.runForEach(pdfMaker(book), (block) =>
      Effect.sync(() => blocks.push(block)).pipe(Effect.andThen(Effect.sleep(5)))
    )
    await Effect.runPromise(consumed)
    expect(blocks.length).toBeGreaterThan(10)
    expect(Buffer.concat(blocks).equals(expected)).toBe(true)
  })
})

it("converters() returns the same converters on each call", () => {
  expect(converters()).toBe(converters())
  expect([markdownEngine(), importReader(), gitPacks(), specParser(), pdfRenderer()]).toEqual([
    converters().markdownEngine,
    converters().importReader,
    converters().gitPacks,
    converters().specParser,
    converters().pdfMaker
  ])
})
