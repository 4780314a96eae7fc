/**
 * Measures the pages of real repositories: the CPU time of parsing each page to a document, and the links by path whose
 * target does not exist. Also measures adversarial pages of 50 kB. Run with
 * `LECTERN_TEST_CORPUS=<folder> npm run bench:corpus`; each folder in the corpus is a repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fromMarkdown, parsePathLink, resolvePathLink, rewriteLinks } from "@lectern/core/content"

const corpus = process.env.LECTERN_TEST_CORPUS
if (corpus === undefined) throw new Error("LECTERN_TEST_CORPUS must be a folder of repositories.")

/** Returns the CPU time of parsing in milliseconds. */
const parseMs = (markdown: string): number => {
  const started = process.cpuUsage()
  fromMarkdown(markdown)
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

const sorted = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)

const pagePathOf = (path: string): string => path.replace(/\.md$/i, "").replace(/(^|\/)(readme|index)$/i, "")

const times: Array<number> = []
let [links, broken] = [0, 0]
for (const repository of readdirSync(corpus)) {
  const root = join(corpus, repository)
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".md")
  )
  const pageByPath = new Map(paths.map((path) => [pagePathOf(path), path]))
  for (const path of paths) {
    const markdown = readFileSync(join(root, path), "utf8").replace(/^---\r?\n[\s\S]*?\n---\r?\n/, "")
    // The first parses of the process include its compilation.
    for (let round = 0; times.length === 0 && round < 20; round++) fromMarkdown(markdown)
    times.push(parseMs(markdown))
    rewriteLinks(markdown, ({ url }) => {
      const link = parsePathLink(url)
      if (link === undefined) return undefined
      links++
      const isPage = resolvePathLink({ pageByPath }, path.replace(/\.md$/i, ""), link) !== undefined
      const file = relative(root, join(root, dirname(path), ...link.segments))
      if (!isPage && !existsSync(join(root, file))) broken++
      return undefined
    })
  }
}
const ordered = sorted(times)
const at = (share: number) =>
  ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))]!.toFixed(1)
console.log(
  `${times.length} pages: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms, maximum ${at(1)} ms of CPU time; ` +
    `${links} links by path, of which ${broken} have no target in the corpus`
)

const adversarial = [
  "*a _b ",
  "[",
  "> ",
  "- ",
  "|a",
  "{% hint %}\n",
  "<details>\n",
  "`a",
  "$$a",
  "![](",
  "[^a] ",
  "<b>"
]
const worst = adversarial
  .map((unit) => {
    const markdown = unit.repeat(Math.floor(50_000 / unit.length))
    return { unit, ms: sorted([parseMs(markdown), parseMs(markdown), parseMs(markdown)])[1]! }
  })
  .sort((a, b) => b.ms - a.ms)
console.log(
  `Adversarial pages of 50 kB: ${worst.map(({ unit, ms }) => `${JSON.stringify(unit)} ${ms.toFixed(0)} ms`).join(", ")}`
)
