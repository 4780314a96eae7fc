/**
 * Converts the files of another documentation tool to a repository: a table of contents, Markdown with the blocks of GitBook, and
 * redirects from the URLs of the source. Pages are converted when they are loaded, so that the memory use does not depend on their sizes.
 */

import type { StorageUnavailable } from "@lectern/kernel"
import { bounds, type OtherSource } from "@lectern/model/imports"
import { unescaped } from "@lectern/model/schema"
import { Effect } from "effect"
import { stringify as stringifyYaml } from "yaml"
import type { SkippedFile } from "../conversion/archives.ts"
import { catchUnreadable } from "../conversion/catchUnreadable.ts"
import type { ReadImport } from "../conversion/ImportReader.ts"
import type { NotReadable } from "../conversion/NotReadable.ts"
import { type Readings, replaceMarks } from "../conversion/Readings.ts"
import type { SourcePage, SourceProblem } from "../conversion/SourceTree.ts"
import { configurationPath, markdownExtension } from "../repository/layout.ts"
import { treePartOf } from "./readSourceTree.ts"
import { escapePath, type Locate, linkTo, makeLocate } from "./support/locations.ts"
import { summaryName, writeSummary } from "./writeSummary.ts"

/** The files of an archive, which are loaded one at a time. */
export interface LoadedFiles<E> {
  readonly files: ReadonlyArray<readonly [path: string, size: number]>
  readonly skipped: ReadonlyArray<SkippedFile>
  readonly load: (path: string) => Effect.Effect<Uint8Array, E>
}

/** A converted source. */
export interface ConvertedFiles<E> extends LoadedFiles<E | StorageUnavailable> {
  /** Returns the problems of the tree, and of the pages that have been loaded. */
  readonly problems: () => ReadonlyArray<SourceProblem>
}

/** The dependencies of a conversion. */
export interface ConversionServices<E> {
  readonly read: ReadImport
  /** The random part of the placeholders of link targets: see `markOf`. */
  readonly mark: string
  /** Converts the error of a source whose tree cannot be read. */
  readonly onUnreadable: (error: NotReadable) => E
}

/** The bytes of the beginning of a page, and of all beginnings; later pages contribute less. */
const beginningBytes = { notion: 64 * 1024, other: 8 * 1024, less: 512, total: 32 * 1024 * 1024 } as const

/** The maximum size of a configuration; of the XML of Confluence, which contains the pages. */
const configurationBytes = { xml: bounds.fileBytes, other: 2 * 1024 * 1024 } as const

/** The maximum number of missing targets of a page that are reported. */
const maximumMissing = 20

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Loads the files that determine the tree of a source. */
const loadTexts = Effect.fnUntraced(function* <E>(
  { files, load }: LoadedFiles<E>,
  source: OtherSource
): Effect.fn.Return<ReadonlyMap<string, string>, E> {
  const texts = new Map<string, string>()
  let total = 0
  for (const [path, size] of files) {
    const part = treePartOf(source, path)
    const limit = path === "entities.xml" ? configurationBytes.xml : configurationBytes.other
    if (part === "none" || size > (part === "whole" ? limit : bounds.pageBytes)) continue
    const bytes = yield* load(path)
    const wanted = source === "notion" ? beginningBytes.notion : beginningBytes.other
    const length = total > beginningBytes.total ? beginningBytes.less : wanted
    const taken = part === "whole" ? bytes : bytes.subarray(0, length)
    if (part === "beginning") total += taken.length
    texts.set(path, decoder.decode(taken))
  }
  return texts
})

/** Writes the front matter and the title of a page. */
const headOf = (
  { title, description: ofSection, isHidden, slug }: SourcePage,
  { description = ofSection, icon }: Partial<Readings["sourcePage"]["out"]>
): string => {
  const values = {
    ...(description === undefined ? {} : { description: description.slice(0, 2000) }),
    ...(icon === undefined ? {} : { icon }),
    ...(isHidden === true ? { hidden: true } : {}),
    ...(slug === undefined ? {} : { slug })
  }
  const heading = `# ${title.replaceAll(/[\\`*_[\]<>]/g, "\\$&")}\n`
  return Object.keys(values).length === 0 ? heading : `---\n${stringifyYaml(values)}---\n\n${heading}`
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** Replaces the placeholders of a page by relative paths in the converted repository. */
const linkPage = (
  page: Readings["sourcePage"]["out"],
  from: string,
  mark: string,
  {
    locate,
    titleOf,
    onMissing
  }: {
    readonly locate: Locate
    readonly titleOf: (path: string) => string | undefined
    readonly onMissing: (path: string) => void
  }
): string =>
  replaceMarks(page.markdown, mark, (index) => {
    const { url, otherwise } = page.targets[index]!
    const [path = "", ...fragment] = url.split("#")
    const place = locate(path)
    if (place === undefined) {
      if (!/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url)) onMissing(path)
      return otherwise
    }
    const anchor = fragment.join("#")
    // The first heading is the title of the page, and has no anchor.
    const isTitle = anchor !== "" && lettersOf(anchor) === lettersOf(titleOf(place) ?? "")
    return linkTo(from, place) + (anchor === "" || isTitle ? "" : `#${escapePath(anchor)}`)
  })

/** The places that links of pages refer to, and the report of a conversion. */
interface ConversionContext {
  readonly report: (problem: SourceProblem) => void
  readonly locate: Locate
  readonly titleOf: (path: string) => string | undefined
}

/** Creates the function that converts the file of a page or of an include. A file that cannot be converted becomes empty. */
const makeConvert = <E>(
  archive: LoadedFiles<E>,
  source: OtherSource,
  { read, mark }: ConversionServices<E>,
  { report, locate, titleOf }: ConversionContext
) =>
  Effect.fnUntraced(function* (
    path: string,
    file: string,
    page?: SourcePage
  ): Effect.fn.Return<
    Partial<Readings["sourcePage"]["out"]> & { readonly text: string },
    E | StorageUnavailable
  > {
    const bytes = page?.content ?? (yield* archive.load(file))
    const resource = page?.content === undefined ? file : page.title
    const result = yield* catchUnreadable(
      read("sourcePage", { source, bytes, path: file, mark }),
      ({ message }) => {
        report({ kind: "page", resource, reason: `The page ${message}; it is imported without its text.` })
        return Effect.succeed(undefined)
      }
    )
    if (result === undefined) return { text: "" }
    for (const reason of result.problems) report({ kind: "entry", resource, reason })
    const missing = new Set<string>()
    const text = linkPage(result, path, mark, {
      locate,
      titleOf,
      onMissing: (target) => missing.add(target)
    })
    for (const target of [...missing].slice(0, maximumMissing)) {
      const name = target.startsWith("confluence-") ? unescaped(target.split("/").at(-1)!) : target
      report({
        kind: "entry",
        resource,
        reason: `The source does not contain ${name.slice(0, 300)}, which the page refers to.`
      })
    }
    return { ...result, text }
  })

/** Converts the files of a source to a repository. */
export const convertArchive = Effect.fnUntraced(function* <E>(
  archive: LoadedFiles<E>,
  source: OtherSource,
  services: ConversionServices<E>
): Effect.fn.Return<ConvertedFiles<E>, E | StorageUnavailable> {
  const paths = archive.files.map(([path]) => path)
  const texts = yield* loadTexts(archive, source)
  const tree = yield* catchUnreadable(services.read("sourceTree", { source, paths, texts }), (error) =>
    Effect.fail(services.onUnreadable(error))
  )
  const sizes = new Map(archive.files)
  const pages = new Map(tree.pages.map((page) => [page.path, page]))
  const includes = new Map(tree.includes.map(([path, include]) => [include, path]))
  const converted = new Set([...tree.pages.flatMap(({ source: path }) => path ?? []), ...includes.values()])
  const originals = new Map(tree.renamed.map(([path, renamed]) => [renamed, path]))
  const renamed = new Map(tree.renamed)
  // Markdown that is neither a page nor included, such as a license, is not part of the documentation.
  const others = paths.filter(
    (path) =>
      !converted.has(path) &&
      !markdownExtension.test(path) &&
      !/\.mdx$/i.test(path) &&
      treePartOf(source, path) !== "whole"
  )
  const locate = makeLocate(tree, others)
  const written = new Map<string, Uint8Array>([[summaryName, encoder.encode(writeSummary(tree.entries))]])
  if (tree.redirects.length > 0) {
    written.set(
      configurationPath,
      encoder.encode(stringifyYaml({ redirects: Object.fromEntries(tree.redirects) }))
    )
  }
  const problems = new Map<string, SourceProblem>()
  const report = (problem: SourceProblem): void =>
    void problems.set(`${problem.resource}\n${problem.reason}`, problem)
  for (const problem of tree.problems) report(problem)

  const convert = makeConvert(archive, source, services, {
    report,
    locate,
    titleOf: (path) => pages.get(path)?.title
  })

  const load = Effect.fnUntraced(function* (
    path: string
  ): Effect.fn.Return<Uint8Array, E | StorageUnavailable> {
    const own = written.get(path)
    if (own !== undefined) return own
    const page = pages.get(path)
    if (page !== undefined) {
      const file = page.source ?? ""
      const result = file === "" ? { text: "" } : yield* convert(path, file, page)
      return encoder.encode(`${headOf(page, result)}\n${result.text}`)
    }
    const include = includes.get(path)
    if (include !== undefined) return encoder.encode((yield* convert(path, include)).text)
    return yield* archive.load(originals.get(path) ?? path)
  })

  return {
    files: [
      ...[...written].map(([path, { length }]) => [path, length] as const),
      ...tree.pages.map(
        ({ path, source: file, content }) => [path, content?.length ?? sizes.get(file ?? "") ?? 100] as const
      ),
      ...tree.includes.map(([file, path]) => [path, sizes.get(file) ?? 0] as const),
      ...others
        .filter((path) => !pages.has(path) && !written.has(path))
        .map((path) => [renamed.get(path) ?? path, sizes.get(path) ?? 0] as const)
    ],
    skipped: archive.skipped,
    load,
    problems: () => [...problems.values()]
  }
})
