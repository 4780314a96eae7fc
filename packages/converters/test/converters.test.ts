/** The converters of a workspace: budgets, and that one document never fails another. */
import { Converters, converters, importReader, pdfRenderer, specParser } from "@lectern/converters"
import { type Book, NotReadable, ParseFailed, PdfFailed } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Effect, Exit, Scope } from "effect"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

/** Converters whose threads end with the test. */
const open = (options: Converters.ConvertersOptions = {}): Promise<Converters.Converters> => {
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

/** A page that takes as many steps to parse as the square of its length. */
const slowHtml = encode("<a>".repeat(30_000))
const smallHtml = encode("<h1>Title</h1><p>Text</p>")

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

describe("parsing specs", () => {
  it("of a 60,000-path YAML beside a 64-byte document fails the first alone when its budget is spent", async () => {
    expect(smallSpec.length).toBe(64)
    const { specParser } = await open({ cpuMs: { spec: 500 } })
    const [slow, small] = await Effect.runPromise(
      Effect.all([Effect.flip(specParser(slowSpec, true)), specParser(smallSpec, true)], {
        concurrency: "unbounded"
      })
    )
    expect(slow).toEqual(
      new ParseFailed({ message: "The document takes more than 0.5 s of CPU time to parse." })
    )
    expect(JSON.parse(small.json).info).toEqual({ title: "API", version: "1" })
  })

  it("of a document that exceeds the memory of a thread fails that document alone", async () => {
    const { specParser } = await open({ memoryMb: 48 })
    const [hungry, small] = await Effect.runPromise(
      Effect.all([Effect.flip(specParser(slowSpec, true)), specParser(smallSpec, true)], {
        concurrency: "unbounded"
      })
    )
    expect(hungry).toEqual(
      new ParseFailed({ message: "The document takes more than 48 MB of memory to parse." })
    )
    expect(small.files).toEqual([])
  })

  it("reports what is wrong with a document", async () => {
    const { specParser } = await open()
    expect(await Effect.runPromise(Effect.flip(specParser("{}", true)))).toBeInstanceOf(ParseFailed)
  })
})

it("documents of any kind and order are converted or fail by themselves", async () => {
  const { specParser, importReader, pdfMaker } = await open({
    cpuMs: { spec: 500, page: 500 }
  })
  const page = (bytes: Uint8Array) =>
    importReader("html", { bytes, url: "https://acme.example/", mark: "m", isWhole: true })
  const kinds = {
    slowSpec: [specParser(slowSpec, true), "ParseFailed"],
    smallSpec: [specParser(smallSpec, true), "success"],
    slowPage: [page(slowHtml), "NotReadable"],
    smallPage: [page(smallHtml), "success"],
    noArchive: [importReader("zip", { bytes: encode("nothing") }), "NotReadable"],
    pdf: [pdfMaker(bookOf("Text")), "success"]
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
    runs(8)
  )
})

describe("reading imports", () => {
  it("names the CPU budget that a page exceeds", async () => {
    const { importReader } = await open({ cpuMs: { page: 200 } })
    const read = importReader("html", { bytes: slowHtml, url: "https://acme.example/", mark: "m" })
    expect(await Effect.runPromise(Effect.flip(read))).toEqual(
      new NotReadable({ message: "leads to what takes more than 0.2 s of CPU time to read" })
    )
  })

  it("reads an outline while pages of others fill their lane", async () => {
    const { importReader } = await open()
    const waiting = Array.from({ length: 20 }, () =>
      Effect.runFork(importReader("html", { bytes: slowHtml, url: "https://acme.example/", mark: "m" }))
    )
    const outline = await Effect.runPromise(importReader("outline", { bytes: encode("# Heading\n\nwords") }))
    expect(outline.sections.map(({ anchor }) => anchor)).toEqual(["heading"])
    // None of the pages has come to its end.
    expect(waiting.map((fiber) => fiber.pollUnsafe())).toEqual(waiting.map(() => undefined))
    for (const fiber of waiting) fiber.interruptUnsafe()
  })
})

describe("rendering PDFs", () => {
  it("names the CPU budget that a book exceeds", async () => {
    const { pdfMaker } = await open({ cpuMs: { pdf: 100 } })
    const failed = await Effect.runPromise(Effect.flip(pdfMaker(bookOf("word ".repeat(200_000)))))
    expect(failed).toEqual(
      new PdfFailed({
        message:
          "This content takes more than 0.1 s of CPU time to render. Export a part of it: one page, or the pages below one."
      })
    )
  })

  it("refuses a PDF while 34 are rendered or wait, and takes others later", async () => {
    const { pdfMaker } = await open()
    const long = bookOf("word ".repeat(500_000))
    const fibers = Array.from({ length: 34 }, () => Effect.runFork(pdfMaker(long)))
    const refused = await Effect.runPromise(Effect.flip(pdfMaker(bookOf("Text"))))
    expect(refused).toEqual(new PdfFailed({ message: "Too many PDFs are being rendered. Try again later." }))
    for (const fiber of fibers) fiber.interruptUnsafe()
    expect(
      Buffer.from(await Effect.runPromise(pdfMaker(bookOf("Text"))))
        .subarray(0, 5)
        .toString()
    ).toBe("%PDF-")
  })
})

it("the converters of a process are the same for all who use them", () => {
  expect(converters()).toBe(converters())
  expect([importReader(), specParser(), pdfRenderer()]).toEqual([
    converters().importReader,
    converters().specParser,
    converters().pdfMaker
  ])
})
