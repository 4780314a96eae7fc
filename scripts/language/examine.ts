/** Examines the prose of the repository. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { DocComments } from "./DocComments.ts"
import type { Finding } from "./Finding.ts"
import { findCitations } from "./findCitations.ts"
import { findPhrases } from "./findPhrases.ts"
import { findUndocumented } from "./findUndocumented.ts"
import { blankCode, lineFinder, type Passage } from "./Passage.ts"
import { declaredNames, entryPointsOf, PublicNames, packageFolders } from "./publicNames.ts"
import { type ParsedSource, parseSource, sourcePassages } from "./sourcePassages.ts"

/** Files whose text is not ours, is generated, or quotes what the rules forbid. */
const skipped =
  /\.gen\.ts$|^scripts\/language\/(rules|fixtures)\/|^docs\/glossary\.md$|^LICENSE|(^|\/)fixtures\//

/** Files whose doc comments become descriptions of the API. */
const apiSources = /^packages\/(core\/src\/model|client\/src\/api)\//

/** Files whose strings are error messages, log lines, command-line texts or API descriptions. */
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

const findingsOf = (passages: ReadonlyArray<Passage>, text: string): ReadonlyArray<Finding> => {
  const lineOf = lineFinder(text)
  return passages.flatMap((passage) => {
    const source = text.slice(passage.start, passage.start + passage.prose.length)
    return [...findPhrases(passage, source, lineOf), ...findCitations(passage, source, lineOf)]
  })
}

const examineSource = (source: ParsedSource, names: ReadonlySet<string>): ReadonlyArray<Finding> => {
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
    ...findingsOf(passages, text),
    ...findUndocumented(file, program.body, docs, names, lineFinder(text))
  ]
}

const examineMarkdown = (file: string): ReadonlyArray<Finding> => {
  const text = readFileSync(file, "utf8")
  return findingsOf([{ file, kind: "markdown", isPublic: true, prose: blankCode(text), start: 0 }], text)
}

/** All findings in the repository, by file and line. */
export const examineRepository = (): ReadonlyArray<Finding> => {
  const sources = new Sources()
  const names = new PublicNames((file) => sources.load(file).program)
  for (const entryPoint of packageFolders().flatMap(entryPointsOf)) names.addEntryPoint(entryPoint)
  return [
    ...listFiles(".md").flatMap(examineMarkdown),
    ...listFiles(".ts").flatMap((file) => examineSource(sources.load(file), names.of(file)))
  ].toSorted((one, other) =>
    one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1
  )
}

/** The folder that a file is counted in: at most four levels, so that a feature has a count of its own. */
export const folderOf = (file: string): string => {
  const folder = dirname(file)
  return folder === "." ? file : folder.split("/").slice(0, 5).join("/")
}
