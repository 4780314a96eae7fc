/** The corpora of the relevance benchmark: the documentation that two npm packages contain. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A page of a corpus. */
export interface CorpusPage {
  /** The path of the file, which identifies the page. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** The Markdown without the front matter. */
  readonly markdown: string
}

/** A set of pages that is searched as one space. */
export interface Corpus {
  readonly name: string
  readonly pages: ReadonlyArray<CorpusPage>
}

/** The folders of the corpora. A skipped path holds pages without a title, or pages that a generator wrote. */
const sources = [
  { name: "bun", folder: "node_modules/bun-types/docs", skipped: /^(?:snippets|lint\/rules)\// },
  { name: "ai", folder: "node_modules/ai/docs", skipped: /^$/ }
]

const frontMatterPattern = /^---\n([\s\S]*?)\n---\n/

const readField = (frontMatter: string, name: string): string => {
  const [, value = ""] = new RegExp(`^${name}:\\s*(.*)$`, "m").exec(frontMatter) ?? []
  return value.replace(/^(["'])(.*)\1$/, "$2").trim()
}

const readPage = (folder: string, id: string): CorpusPage => {
  const text = readFileSync(join(folder, id), "utf8")
  const frontMatter = frontMatterPattern.exec(text)?.[1] ?? ""
  return {
    id,
    title: readField(frontMatter, "title").slice(0, 100),
    description: readField(frontMatter, "description"),
    markdown: text.replace(frontMatterPattern, "").replace(/^import .*$/gm, "")
  }
}

/** Reads the corpora from the installed packages. */
export const readCorpora = (): ReadonlyArray<Corpus> =>
  sources.map(({ name, folder, skipped }) => ({
    name,
    pages: readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".mdx") && !skipped.test(path))
      .sort()
      .map((path) => readPage(folder, path))
      .filter(({ title }) => title !== "")
  }))
