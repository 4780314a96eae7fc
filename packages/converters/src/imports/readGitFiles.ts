/** Reads the files of a commit of a Git repository. */
import type { GitPackTasks, SkippedFile, Unpacked } from "@lectern/formats/threads"
import { type GitObjects, malformed, modes, readCommit } from "./gitObjects.ts"
import { type GitFile, listGitFiles } from "./gitTrees.ts"
import { readPack } from "./readGitPack.ts"

/** Matches the files that pages, tables of contents and configurations are read from. */
const textFile = /\.(?:md|markdown|mdown|mkdn?|ya?ml|json)$/i

/** Whether a file has bytes: it is neither a link nor a submodule. */
const isFile = ({ mode }: GitFile): boolean => mode !== modes.link && mode !== modes.submodule

/** Returns the files of a commit below a folder. Throws `NotReadable`. */
export const readGitFiles = ({
  bytes,
  commit,
  folder,
  omitted,
  unpackedBytes
}: GitPackTasks["gitFiles"]["in"]): GitPackTasks["gitFiles"]["out"] => {
  const objects = readPack(bytes, unpackedBytes)
  const { tree, message, oid } = readCommit(objects, commit)
  const files: Array<Unpacked> = []
  const skipped: Array<SkippedFile> = []
  for (const file of listGitFiles(objects, tree, folder)) {
    const { path } = file
    if (!isFile(file)) {
      const kind = file.mode === modes.link ? "symbolic link" : "submodule"
      skipped.push({ path, reason: `The file is a ${kind}.` })
      continue
    }
    const blob = objects.get(file.oid)
    if (blob === undefined && (omitted === "all" || (omitted === "large" && !textFile.test(path)))) {
      skipped.push({
        path,
        reason: "The commit is larger than the limit of imports, and no file of it names this one."
      })
      continue
    }
    if (blob?.type !== "blob") throw malformed()
    files.push({ path, bytes: blob.bytes.slice() })
  }
  return { files, skipped, commit: oid, message }
}

/** The letters and digits of a name, in which escapes and spaces of links do not count. */
const essenceOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Decodes the escapes of a URL in text. */
const unescapedUrl = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The maximum number of characters of a name in a link, with its escapes. */
const maximumNameLength = 600

/** Returns the essences of the names that text can refer to with an extension: from each delimiter before it. */
const namesIn = function* (text: string, extensions: string): Generator<string> {
  for (const { index, 0: found } of text.matchAll(
    new RegExp(`\\.(?:${extensions})(?![\\p{L}\\p{N}])`, "giu")
  )) {
    const end = index + found.length
    const line = text.slice(Math.max(0, index - maximumNameLength), end)
    const name = unescapedUrl(line.slice(line.search(/[^/\n"'`<>]*$/)))
    for (const { index: start } of name.matchAll(/(?<=^|[\s([\]=:])[^\s]/g))
      yield essenceOf(name.slice(start))
  }
}

/** Returns the names of files that the text files of a commit refer to, as their essences. */
const namedIn = (
  objects: GitObjects,
  texts: ReadonlyArray<GitFile>,
  missing: ReadonlyArray<GitFile>
): ReadonlySet<string> => {
  const extensions = new Set(missing.flatMap(({ path }) => /\.([\p{L}\p{N}]{1,16})$/u.exec(path)?.[1] ?? []))
  const named = new Set<string>()
  for (const { oid } of extensions.size === 0 ? [] : texts) {
    const text = new TextDecoder().decode(objects.get(oid)?.bytes)
    for (const name of namesIn(text, [...extensions].join("|"))) named.add(name)
  }
  return named
}

/** Returns the hashes of the files that a packfile lacks, and that other files name or that are retained. Throws `NotReadable`. */
export const findNamedFiles = ({
  bytes,
  commit,
  folder,
  retained,
  unpackedBytes
}: GitPackTasks["gitNamedFiles"]["in"]): GitPackTasks["gitNamedFiles"]["out"] => {
  const objects = readPack(bytes, unpackedBytes)
  const files = listGitFiles(objects, readCommit(objects, commit).tree, folder).filter(isFile)
  const isMissing = ({ oid }: GitFile): boolean => !objects.has(oid)
  const texts = files.filter((file) => textFile.test(file.path) && !isMissing(file))
  const missing = files.filter(isMissing)
  const kept = new Set(retained)
  const named = namedIn(objects, texts, missing)
  const wanted = missing.filter(
    ({ path }) =>
      textFile.test(path) || kept.has(path) || named.has(essenceOf(path.slice(path.lastIndexOf("/") + 1)))
  )
  return [...new Set(wanted.map(({ oid }) => oid))]
}
