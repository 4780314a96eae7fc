/**
 * Measures the rendering of PDFs of 100, 500 and 1,000 pages in a worker thread: pages per second of CPU time, and the
 * maximum memory of the process. The numbers of machines are not comparable, but neither the time per page nor the memory
 * may grow with the number of pages. Run with `npm run bench:pdfs`.
 */
import { execFileSync } from "node:child_process"
import { Converters } from "@lectern/converters"
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

const [, program, argument] = process.argv

if (argument === undefined) {
  // Each size has a process of its own, because the memory of a process does not shrink.
  for (const size of sizes) {
    const options = ["--conditions=@lectern/source"]
    execFileSync(process.execPath, [...options, program!, String(size)], { stdio: "inherit" })
  }
} else {
  const size = Number(argument)
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
  const memory = process.resourceUsage().maxRSS / 1024
  process.stdout.write(
    `${size} pages: ${seconds.toFixed(1)} s of CPU time, ${(size / seconds).toFixed(0)} pages/s, ` +
      `${(bytes / 1_000_000).toFixed(1)} MB, ` +
      `maximum resident memory ${memory.toFixed(0)} MB\n`
  )
}
