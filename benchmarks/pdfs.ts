/**
 * Measures the rendering of PDFs of 100, 500 and 1,000 pages: pages per second of CPU time and the maximum memory of the
 * process with a worker thread, and the live memory after collections on the main thread. The resident memory includes
 * garbage that is not collected yet. Fails if the live memory without the Markdown of the book grows by more than 10 %.
 * Run with `npm run bench:pdfs`.
 */
import { execFileSync } from "node:child_process"
import { Converters } from "@lectern/converters"
import { writePdf } from "@lectern/converters/pdf"
import type { Book, PageId } from "@lectern/core"
import { Effect, Stream } from "effect"

const sizes = [100, 500, 1000]

const words =
  "the page of a space has a title and text that describes how a server is configured for users".split(" ")

/** Returns a function that returns sentences of a number of words, the same in each run. */
const makeSentences = () => {
  let state = 1
  const next = (): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return state
  }
  return (count: number): string =>
    Array.from(
      { length: count },
      () => words[next() % words.length] + (next() % 5 === 0 ? ` ${next() % 1000}` : "")
    ).join(" ")
}

const bookOf = (size: number): Book => {
  const sentence = makeSentences()
  const markdown = (index: number): string =>
    [
      `${sentence(60)} [link](/pages/p${(index * 7) % size}).`,
      `## Section\n\n${sentence(80)}`,
      `{% hint style="info" %}\n${sentence(20)}\n{% endhint %}`,
      `\`\`\`ts\nconst a${index} = "${sentence(5)}"\nexport const f = () => a${index}\n\`\`\``,
      `- ${sentence(8)}\n- ${sentence(8)}`,
      `| A | B |\n| - | - |\n| ${sentence(3)} | ${sentence(4)} |`,
      `### More\n\n${sentence(120)}\n\n${sentence(120)}`
    ].join("\n\n")
  return {
    title: "Benchmark",
    date: "2026-01-01T00:00:00.000Z",
    hasContents: true,
    pages: Array.from({ length: size }, (_, index) => ({
      id: `p${index}` as PageId,
      depth: 0,
      type: "document",
      title: `Page ${index}`,
      path: `page-${index}`,
      markdown: markdown(index)
    })),
    addresses: new Map(),
    paths: new Map(),
    files: new Map()
  }
}

/** The maximum growth of the live memory from the smallest to the largest book. */
const maximumGrowth = 0.1

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

const lengthOf = ({ pages }: Book): number => pages.reduce((sum, { markdown }) => sum + markdown.length, 0)

/** Renders a book in a worker thread, and prints the CPU time and the maximum resident memory. */
const measureThread = async (size: number): Promise<void> => {
  const started = process.cpuUsage()
  const bytes = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(Converters.makeConverters(), ({ pdfMaker }) =>
        Stream.runFold(
          pdfMaker(bookOf(size)),
          () => 0,
          (total, block) => total + block.length
        )
      )
    )
  )
  const { user, system } = process.cpuUsage(started)
  const seconds = (user + system) / 1_000_000
  const memory = process.resourceUsage().maxRSS * 1024
  process.stdout.write(
    `${size} pages: ${seconds.toFixed(1)} s of CPU time, ${(size / seconds).toFixed(0)} pages/s, ` +
      `${megabytes(bytes)}, maximum resident memory ${megabytes(memory)}\n`
  )
}

/** The number of times that the live memory is measured in a book. */
const samples = 20

/** Prints the maximum of the live memory while a book is rendered, without its Markdown, in bytes. */
const measureLive = async (size: number): Promise<void> => {
  const collect = globalThis.gc!
  // Modules, fonts and caches are loaded with the first book.
  await writePdf(bookOf(20), () => undefined)
  const book = bookOf(size)
  let most = 0
  const sample = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    most = Math.max(most, heapUsed + external - lengthOf(book))
  }
  await writePdf(book, () => undefined, {
    releasesBook: true,
    onProgress: (rendered) => {
      if (rendered % Math.ceil(size / samples) === 0) sample()
    }
  })
  process.stdout.write(String(most))
}

const [, program, mode, argument] = process.argv

if (mode === undefined) {
  // Each measurement has a process of its own, because the memory of a process does not shrink.
  const options = ["--conditions=@lectern/source", "--expose-gc", program!]
  for (const size of sizes) {
    execFileSync(process.execPath, [...options, "thread", String(size)], { stdio: "inherit" })
  }
  const live = sizes.map((size) =>
    Number(execFileSync(process.execPath, [...options, "live", String(size)], { encoding: "utf8" }))
  )
  for (const [index, size] of sizes.entries()) {
    process.stdout.write(`${size} pages: live memory ${megabytes(live[index]!)}\n`)
  }
  const [first, last] = [live[0]!, live.at(-1)!]
  const growth = last / first - 1
  const perPage = (last - first) / (sizes.at(-1)! - sizes[0]!)
  process.stdout.write(
    `Live memory grows by ${(growth * 100).toFixed(1)} % from ${sizes[0]} to ${sizes.at(-1)} pages, ` +
      `${(perPage / 1000).toFixed(1)} kB per page\n`
  )
  if (growth > maximumGrowth) {
    process.stdout.write(`The limit is ${maximumGrowth * 100} %.\n`)
    process.exitCode = 1
  }
} else if (mode === "live") await measureLive(Number(argument))
else await measureThread(Number(argument))
