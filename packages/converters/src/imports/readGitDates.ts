/** Reads from the history of a Git repository when its pages were changed last. */
import type { GitPackTasks } from "@lectern/formats/threads"
import { normalizeArchivePath } from "./archivePaths.ts"
import { type Commit, type GitObjects, modes, readCommit, readTree, type TreeEntry } from "./gitObjects.ts"
import { maximumDepth } from "./gitTrees.ts"
import { readPack } from "./readGitPack.ts"

const markdownFile = /\.(?:md|markdown|mdown|mkdn?)$/i

/** The maximum number of entries that are compared. Pages that are not dated then have no date. */
const maximumComparisons = 20_000_000

/** Returns the entries of a folder; undefined for a folder that the packfile lacks. */
const entriesOf = (objects: GitObjects, oid: string): ReadonlyArray<TreeEntry> | undefined =>
  objects.get(oid)?.type === "tree" ? readTree(objects, oid) : undefined

/** Returns the hash of a folder of a commit; undefined if it does not exist, or the packfile lacks it. */
const folderOf = (objects: GitObjects, { tree }: Commit, folder: string): string | undefined => {
  let oid = tree
  for (const name of folder.split("/").filter((part) => part !== "")) {
    const entry = entriesOf(objects, oid)?.find((one) => one.name === name)
    if (entry?.mode !== modes.folder) return undefined
    oid = entry.oid
  }
  return oid
}

/** Finds the pages of folders that differ from the pages of earlier folders. */
const makeComparison = (objects: GitObjects) => {
  let comparisons = 0
  const known = new Map<string, ReadonlyArray<TreeEntry> | undefined>()
  const read = (oid: string) => {
    if (!known.has(oid)) known.set(oid, entriesOf(objects, oid))
    return known.get(oid)
  }
  const visit = (
    found: Set<string>,
    after: string | undefined,
    before: string | undefined,
    above: string
  ): void => {
    if (after === undefined || after === before || above.split("/").length > maximumDepth) return
    const earlier = new Map(
      (before === undefined ? [] : (read(before) ?? [])).map((entry) => [entry.name, entry])
    )
    for (const { mode, name, oid } of read(after) ?? []) {
      if (++comparisons > maximumComparisons) return
      const was = earlier.get(name)
      if (was?.oid === oid) continue
      if (mode === modes.folder) {
        visit(found, oid, was?.mode === modes.folder ? was.oid : undefined, `${above}${name}/`)
      } else if (markdownFile.test(name)) found.add(above + name)
    }
  }
  return {
    isExhausted: () => comparisons > maximumComparisons,
    /** Returns the paths of the pages of a folder that differ from the pages of an earlier folder. */
    changedPages: (after: string | undefined, before: string | undefined): ReadonlySet<string> => {
      const found = new Set<string>()
      visit(found, after, before, "")
      return found
    }
  }
}

/** Returns the commits of a packfile that a commit descends from, each before its parents. */
const commitsFrom = (objects: GitObjects, first: Commit): ReadonlyArray<Commit> => {
  const commits = new Map([[first.oid, first]])
  const children = new Map<string, number>()
  for (const { parents } of commits.values()) {
    for (const oid of parents) {
      if (objects.get(oid)?.type !== "commit") continue
      children.set(oid, (children.get(oid) ?? 0) + 1)
      // The iteration of a map includes entries that are added during it.
      if (!commits.has(oid)) commits.set(oid, readCommit(objects, oid))
    }
  }
  const sorted = [first]
  for (const { parents } of sorted) {
    for (const oid of parents) {
      const left = (children.get(oid) ?? 0) - 1
      children.set(oid, left)
      if (left === 0) sorted.push(commits.get(oid)!)
    }
  }
  return sorted
}

/**
 * Returns when the pages below a folder were changed last: the time of the first commit from the latest one whose page differs from
 * that of all of its parents. Throws `NotReadable`.
 */
export const readGitDates = ({
  bytes,
  commit,
  folder
}: GitPackTasks["gitDates"]["in"]): GitPackTasks["gitDates"]["out"] => {
  const objects = readPack(bytes)
  const { changedPages, isExhausted } = makeComparison(objects)
  const head = readCommit(objects, commit)
  const commits = commitsFrom(objects, head)
  const byOid = new Map(commits.map((one) => [one.oid, one]))
  const dates = new Map<string, string>()
  /** The pages whose last change is in a commit or before it. */
  const waiting = new Map([[head.oid, new Set(changedPages(folderOf(objects, head, folder), undefined))]])
  for (const current of commits) {
    const pages = waiting.get(current.oid)
    waiting.delete(current.oid)
    if (pages === undefined || pages.size === 0) continue
    if (isExhausted()) break
    const own = folderOf(objects, current, folder)
    let different: ReadonlySet<string> = pages
    for (const parent of current.parents.flatMap((oid) => byOid.get(oid) ?? [])) {
      const changed = changedPages(own, folderOf(objects, parent, folder))
      const left = new Set([...changed].filter((path) => different.has(path)))
      const others = waiting.get(parent.oid)
      if (others === undefined && different === pages) {
        // The set of a line of commits is passed on: most commits change few of its pages.
        for (const path of left) pages.delete(path)
        waiting.set(parent.oid, pages)
      } else {
        const inherited = others ?? new Set<string>()
        for (const path of different) if (!left.has(path)) inherited.add(path)
        waiting.set(parent.oid, inherited)
      }
      different = left
    }
    const time = new Date(current.time * 1000).toISOString()
    for (const path of different) {
      const normalized = normalizeArchivePath(path)
      if (normalized !== undefined) dates.set(normalized, time)
    }
  }
  return dates
}
