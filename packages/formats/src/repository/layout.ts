/** The layout of a repository of documentation: its configuration, and which of its files are content. */

import { parseYamlMapping } from "@lectern/markdown/frontMatter"
import { servableSlug, slugOf, slugOfName } from "@lectern/markdown/text"

/** The path of the configuration of a repository, whose record has the redirects. */
export const configurationPath = ".gitbook.yaml"

/** The configuration of a repository, `.gitbook.yaml`, with its default values. */
export interface RepositoryLayout {
  /** The folder of the content with a final slash; empty for the root of the repository. */
  readonly root: string
  /** The path of the first page. */
  readonly readmePath: string
  /** The path of the table of contents. */
  readonly summaryPath: string
  /** The paths of pages in the repository by the paths of URLs that redirect to them. */
  readonly redirects: Readonly<Record<string, string>>
  /** Whether the configuration exists and is not a mapping of YAML. */
  readonly isInvalid: boolean
}

/** The maximum number of redirects of a configuration. */
const maximumRedirects = 5000

/** The kind of a file of a repository. Other files are imported if pages refer to them. */
export type FileKind = "page" | "asset" | "include" | "source" | "hidden" | "other"

/** Matches the names of Markdown files. */
export const markdownExtension = /\.(?:md|markdown|mdown|mkdn?)$/i

/** Normalizes a path of a configuration: without `./` and duplicate slashes. It cannot leave the repository. */
const normalizePath = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .join("/")

const textIn = (value: unknown, name: string): string | undefined => {
  const found =
    typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
  return typeof found === "string" ? normalizePath(found) : undefined
}

/** Derives the layout from the text of the configuration, and from the paths of the repository. */
export const readLayout = (config: string | undefined, paths: ReadonlyArray<string>): RepositoryLayout => {
  const values = parseYamlMapping(config ?? "")
  const folder = textIn(values, "root") ?? ""
  const root = folder === "" ? "" : `${folder}/`
  const findByName = (name: string): string =>
    paths.find((path) => path.toLowerCase() === `${root}${name}`.toLowerCase()) ?? root + name
  const summary = textIn(values?.structure, "summary")
  const readme = textIn(values?.structure, "readme")
  const redirects = Object.entries(
    typeof values?.redirects === "object" && values.redirects !== null ? values.redirects : {}
  ).flatMap(
    ([from, to]): ReadonlyArray<readonly [string, string]> =>
      typeof to === "string" ? [[normalizePath(from), root + normalizePath(to.split("#")[0]!)]] : []
  )
  return {
    root,
    readmePath: readme === undefined ? findByName("README.md") : root + readme,
    summaryPath: summary === undefined ? findByName("SUMMARY.md") : root + summary,
    redirects: Object.fromEntries(redirects.slice(0, maximumRedirects)),
    isInvalid: values === undefined && (config ?? "").trim() !== ""
  }
}

/** Returns the kind of a file. */
export const kindOfFile = ({ root, summaryPath }: RepositoryLayout, path: string): FileKind => {
  if (path === configurationPath || path === summaryPath) return "source"
  const inFolder = [`${root}.gitbook/`, ".gitbook/"].find((folder) => path.startsWith(folder))
  if (inFolder !== undefined) {
    const rest = path.slice(inFolder.length)
    if (rest.startsWith("assets/")) return "asset"
    return rest.startsWith("includes/") && markdownExtension.test(rest) ? "include" : "source"
  }
  if (path.split("/").some((part) => part.startsWith("."))) return "hidden"
  return markdownExtension.test(path) && path.startsWith(root) ? "page" : "other"
}

/** The names of files that are the page of their folder. */
const folderPage = /^(?:readme|index|_index)$/i

/** Returns the file name in a path without its extension. */
export const stemOf = (path: string): string => (path.split("/").at(-1) ?? "").replace(markdownExtension, "")

/** Whether the file at a path is the page of its folder. */
export const isFolderPage = (path: string): boolean => folderPage.test(stemOf(path))

/** Returns the path of a page as names from the root of the content. It is empty for the first page. */
export const segmentsOfFile = (
  { root, readmePath }: RepositoryLayout,
  path: string
): ReadonlyArray<string> => {
  if (path === readmePath) return []
  const folders = path
    .slice(path.startsWith(root) ? root.length : 0)
    .split("/")
    .slice(0, -1)
  return isFolderPage(path) ? folders : [...folders, stemOf(path)]
}

/** Returns the name that the slug of the page at a path is derived from: of its file, or of its folder. */
const slugNameOf = (layout: RepositoryLayout, path: string): string =>
  segmentsOfFile(layout, path).at(-1) ?? stemOf(path)

/** Returns the slug of the page at a path in the URLs of the source. */
export const sourceSlugOfFile = (layout: RepositoryLayout, path: string): string =>
  slugOfName(slugNameOf(layout, path))

/**
 * Returns the slugs that imports derive for the page at a path, the current one first. Earlier versions derived the others, and
 * the pages that they have imported retain them.
 */
export const slugsOfFile = (
  layout: RepositoryLayout,
  path: string,
  title: string
): readonly [current: string, ...former: ReadonlyArray<string>] => [
  servableSlug(sourceSlugOfFile(layout, path)),
  slugOf(path === layout.readmePath ? title : slugNameOf(layout, path), "page")
]
