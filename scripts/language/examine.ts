/** Examines the prose of the repository. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { Allowances } from "./Allowances.ts"
import { checkPaths, checkRecords } from "./checkRecords.ts"
import { checkWords, readWords } from "./checkWords.ts"
import { DocComments } from "./DocComments.ts"
import type { Finding } from "./Finding.ts"
import { findCitations } from "./findCitations.ts"
import { findNames, unneededNames } from "./findNames.ts"
import { findPhrases } from "./findPhrases.ts"
import { findUndocumented } from "./findUndocumented.ts"
import { hideCode, lineFinder, type Passage } from "./Passage.ts"
import { declaredNames, entryPointsOf, PublicNames, packageFolders } from "./publicNames.ts"
import { type ParsedSource, parseSource, sourcePassages } from "./sourcePassages.ts"

/** Files that are generated, or that quote phrasings that the rules reject. */
const skipped = /\.gen\.ts$|^scripts\/language\/(rules|fixtures|test)\//

/** Files whose doc comments become descriptions of the API. */
const apiSources = /^packages\/model\/src\//

/** Files whose strings are error messages, log lines, command-line output or API descriptions. */
const messageSources = /^packages\/[^/]+\/src\//

const isTestSource = (file: string): boolean => /(^|\/)test\//.test(file)

/** The files that git tracks or would track, with the endings. */
const listFiles = (...endings: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", ...endings.map((ending) => `*${ending}`)],
    {
      encoding: "utf8",
      maxBuffer: 1 << 26
    }
  )
    .split("\n")
    .filter((file) => file !== "" && !skipped.test(file) && existsSync(file))
    .sort()

/** Parses each file once. */
class Sources {
  readonly #parsed = new Map<string, ParsedSource>()

  load(file: string): ParsedSource {
    const parsed = this.#parsed.get(file) ?? parseSource(file, readFileSync(file, "utf8"))
    this.#parsed.set(file, parsed)
    return parsed
  }
}

/** The offsets of the doc comments of exported declarations and of their members. */
const publicComments = (
  { program }: ParsedSource,
  docs: DocComments,
  names: ReadonlySet<string>
): ReadonlySet<number> => {
  const starts = new Set<number>()
  for (const statement of program.body) {
    if (!declaredNames(statement).some((name) => names.has(name))) continue
    const above = docs.above(statement.start)
    if (above !== undefined) starts.add(above.start)
    // Comments inside a class body or an interface document its members.
    for (const start of docs.startsWithin(statement.start, statement.end)) starts.add(start)
  }
  return starts
}

const findingsOf = (
  passages: ReadonlyArray<Passage>,
  text: string,
  allowances: Allowances
): ReadonlyArray<Finding> => {
  const lineOf = lineFinder(text)
  return passages.flatMap((passage) => {
    const source = text.slice(passage.start, passage.start + passage.prose.length)
    return [...findPhrases(passage, source, lineOf, allowances), ...findCitations(passage, source, lineOf)]
  })
}

/** The findings of a source file. `names` are its public names. */
export const examineSource = (
  source: ParsedSource,
  names: ReadonlySet<string>,
  allowances: Allowances
): ReadonlyArray<Finding> => {
  const { file, text, program, comments } = source
  const docs = new DocComments(text, comments)
  const isApi = apiSources.test(file)
  const exported = publicComments(source, docs, names)
  const passages = sourcePassages(source, {
    hasMessages: !isTestSource(file),
    isPublicComment: (start) => isApi || exported.has(start),
    isPublicText: messageSources.test(file)
  })
  return [
    ...findingsOf(passages, text, allowances),
    ...findNames(source, names, lineFinder(text)),
    ...findUndocumented(file, program.body, docs, names, lineFinder(text))
  ]
}

/** The findings of a Markdown file. */
export const examineMarkdown = (file: string, text: string, allowances: Allowances): ReadonlyArray<Finding> =>
  findingsOf([{ file, kind: "markdown", isPublic: true, prose: hideCode(text), start: 0 }], text, allowances)

/** The findings of the description in a package.json, which package registries show. */
export const examineManifest = (
  file: string,
  text: string,
  allowances: Allowances
): ReadonlyArray<Finding> => {
  const description = /"description": "(.*)"/.exec(text)
  if (description === null) return []
  const prose = hideCode(description[1]!)
  const start = description.index + description[0].length - prose.length - 1
  return findingsOf([{ file, kind: "markdown", isPublic: true, prose, start }], text, allowances)
}

const byPlace = (one: Finding, other: Finding): number =>
  one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1

/** The result of an examination. */
export interface Examination {
  /** All findings, by file and line. */
  readonly findings: ReadonlyArray<Finding>
  /** Mistakes in the data of the checks and in the spelling dictionary, which fail too. */
  readonly problems: ReadonlyArray<string>
}

/** Examines all files of the repository. */
export const examineRepository = (): Examination => {
  const sources = new Sources()
  const allowances = new Allowances()
  const names = new PublicNames((file) => sources.load(file).program)
  for (const entryPoint of packageFolders().flatMap(entryPointsOf)) names.addEntryPoint(entryPoint)
  // Generated pages repeat comments of sources, which are examined there.
  const documents = listFiles(".md")
    .filter((file) => !file.startsWith("docs/reference/"))
    .map((file) => [file, readFileSync(file, "utf8")] as const)
  const parsed = listFiles(".ts", ".tsx").map((file) => sources.load(file))
  const manifests = listFiles("package.json").map((file) => [file, readFileSync(file, "utf8")] as const)
  const findings = [
    ...manifests.flatMap(([file, text]) => examineManifest(file, text, allowances)),
    ...documents.flatMap(([file, text]) => examineMarkdown(file, text, allowances)),
    ...parsed.flatMap((source) => examineSource(source, names.of(source.file), allowances))
  ].toSorted(byPlace)
  const texts = new Map([...documents, ...parsed.map(({ file, text }) => [file, text] as const)])
  const unneeded = allowances
    .unneeded()
    .map(({ rule, text }) => `rules/allowedPhrases.ts: nothing has "${text}" (${rule}); remove the entry`)
  return {
    findings,
    problems: [
      ...unneeded,
      ...unneededNames(parsed),
      ...checkRecords(texts),
      ...checkPaths(texts),
      ...checkWords(readWords(), texts.values())
    ]
  }
}
