/** The documentation of Lectern, which the package contains: a folder of Markdown with a table of contents. */
import { readdir, readFile } from "node:fs/promises"
import { posix } from "node:path"

/** The folder of the pages: that of the repository, or the copy in the package, which the build makes. */
const folder = new URL(
  import.meta.url.endsWith(".ts") ? "../../../../../docs/" : "../../help/",
  import.meta.url
)

/** An entry of the table of contents. A group has no path. */
export interface HelpEntry {
  readonly title: string
  /** The path of the page below `/help`, which is empty for the first page. */
  readonly path: string | undefined
  readonly items: ReadonlyArray<HelpEntry>
}

/** A page of the documentation. */
export interface HelpPage {
  /** The path of the page below `/help`, which is empty for the first page. */
  readonly path: string
  readonly title: string
  readonly description: string | undefined
  /** The text below the title. */
  readonly markdown: string
  readonly tree: ReadonlyArray<HelpEntry>
  /** Returns the path below `/help`, with its anchor, of a relative link on the page; `undefined` if it has no file. */
  readonly resolve: (url: string) => string | undefined
}

/** The documentation. */
export interface HelpPages {
  /** Returns the page at a path below `/help`. */
  readonly page: (path: string) => Promise<HelpPage | undefined>
  /** Reads a file of the folder, by its path in it. */
  readonly file: (path: string) => Promise<Uint8Array | undefined>
}

const firstFile = "README.md"

/** Returns the path of the page of a Markdown file: that of the folder for a README. */
const pagePathOf = (file: string): string => file.replace(/(^|\/)README\.md$/, "").replace(/\.md$/, "")

interface MutableEntry extends HelpEntry {
  readonly items: Array<MutableEntry>
}

/** Parses the table of contents: headings are groups, and indented items are below the item before them. */
const parseSummary = (summary: string): ReadonlyArray<HelpEntry> => {
  const tree: Array<MutableEntry> = []
  let group = tree
  const above: Array<readonly [indent: number, entry: MutableEntry]> = []
  for (const line of summary.split("\n")) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) {
      const entry: MutableEntry = { title: heading, path: undefined, items: [] }
      tree.push(entry)
      group = entry.items
      above.length = 0
      continue
    }
    const item = /^( *)\* \[(.+)\]\(([^)]+\.md)\)$/.exec(line)
    if (item === null) continue
    const indent = item[1]!.length
    while ((above.at(-1)?.[0] ?? -1) >= indent) above.pop()
    const entry: MutableEntry = { title: item[2]!, path: pagePathOf(item[3]!), items: [] }
    const parent = above.at(-1)?.[1].items ?? group
    parent.push(entry)
    above.push([indent, entry])
  }
  return tree
}

/** Separates the front matter and the title from the text. */
const parsePage = (text: string): Pick<HelpPage, "title" | "description" | "markdown"> => {
  const [frontMatter = ""] = /^---\n[\s\S]*?\n---\n/.exec(text) ?? []
  const body = text.slice(frontMatter.length).trimStart()
  const [heading = "", title = "Lectern"] = /^# (.+)\n?/.exec(body) ?? []
  return {
    title,
    description: /^description: (.+)$/m.exec(frontMatter)?.[1],
    markdown: body.slice(heading.length)
  }
}

/** Reads the list of files. A server without the folder has no pages. */
const listFiles = async (): Promise<ReadonlySet<string>> => {
  try {
    const files = await readdir(folder, { recursive: true })
    return new Set(files.map((path) => path.replaceAll("\\", "/")).filter((path) => /\.\w+$/.test(path)))
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Set()
    throw error
  }
}

const isRelative = (url: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|\/|#|$)/i.test(url)

/** Opens the documentation. The list of files is read once, and only they are served. */
export const openHelpPages = (): HelpPages => {
  let opened:
    | Promise<{ readonly files: ReadonlySet<string>; readonly tree: ReadonlyArray<HelpEntry> }>
    | undefined
  const open = async () => {
    const files = await listFiles()
    const tree = files.has("SUMMARY.md")
      ? parseSummary(await readFile(new URL("SUMMARY.md", folder), "utf8"))
      : []
    return { files, tree }
  }
  const opening = () => {
    opened ??= open()
    return opened
  }
  const file: HelpPages["file"] = async (path) =>
    (await opening()).files.has(path) ? readFile(new URL(encodeURI(path), folder)) : undefined
  return {
    file,
    page: async (path) => {
      const { files, tree } = await opening()
      const candidates = path === "" ? [firstFile] : [`${path}.md`, `${path}/${firstFile}`]
      const name = candidates.find((candidate) => files.has(candidate))
      if (name === undefined || name === "SUMMARY.md") return undefined
      const resolve = (url: string): string | undefined => {
        if (!isRelative(url)) return undefined
        const [target = "", anchor] = url.split("#", 2)
        const found = posix.join(posix.dirname(name), decodeURI(target))
        if (!files.has(found)) return undefined
        const resolved = found.endsWith(".md") ? pagePathOf(found) : found
        return anchor === undefined ? resolved : `${resolved}#${anchor}`
      }
      return { path, tree, resolve, ...parsePage(new TextDecoder().decode(await file(name))) }
    }
  }
}
