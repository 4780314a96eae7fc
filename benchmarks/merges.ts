/**
 * Measures merges of 200,000 lines of text, compared with `git merge-file`, and the longest time that one holds the event
 * loop. With the path of a Git repository, it also merges the Markdown files of all its merge commits, and compares the
 * results with the output of `git merge-file`. Run with `npm run bench:merges [-- <repository>]`.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mergeTexts, mergeTextsInSteps } from "@lectern/core/content"
import { median } from "./processes.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const lineCount = 200_000
const runs = 5

interface Versions {
  readonly base: string
  readonly primary: string
  readonly change: string
}

const mergeWithGit = ({ base, primary, change }: Versions) => {
  const paths = Object.entries({ primary, base, change }).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  })
  const started = performance.now()
  const { status, stdout } = spawnSync("git", ["merge-file", "-p", ...paths], {
    encoding: "utf8",
    maxBuffer: 1 << 30
  })
  return { timeMs: performance.now() - started, text: status === 0 ? stdout : undefined }
}

/** Merges in steps. Returns the time, and that of the longest step. */
const measureMerge = ({ base, primary, change }: Versions) => {
  const started = performance.now()
  const steps = mergeTextsInSteps(base, primary, change)
  let longestMs = 0
  for (;;) {
    const stepStarted = performance.now()
    const step = steps.next()
    longestMs = Math.max(longestMs, performance.now() - stepStarted)
    if (step.done === true) return { timeMs: performance.now() - started, longestMs, merged: step.value }
  }
}

/** Edits one line in forty: adds one after it, replaces or removes it. */
const edit = (lines: ReadonlyArray<string>, offset: number, side: string): string =>
  lines
    .flatMap((line, index) => {
      if (index % 40 !== offset) return [line]
      return index % 3 === 0
        ? [line, `Added by ${side} at ${index}.`]
        : index % 3 === 1
          ? [`Changed by ${side}.`]
          : []
    })
    .join("\n")

/** Reproducible numbers below a limit. */
const makeNumbers = (limit: number) => {
  let state = 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
}

const measureLines = (title: string, lines: ReadonlyArray<string>) => {
  const versions = {
    base: lines.join("\n"),
    primary: edit(lines, 3, "one"),
    change: edit(lines, 23, "other")
  }
  const results = Array.from({ length: runs }, () => {
    const git = mergeWithGit(versions)
    const own = measureMerge(versions)
    if (own.merged._tag !== "Merged" || own.merged.text !== git.text) throw new Error("The results differ.")
    return { ratio: own.timeMs / git.timeMs, longestMs: own.longestMs }
  })
  const ratio = median(results.map((one) => one.ratio)).toFixed(1)
  const longest = median(results.map((one) => one.longestMs)).toFixed(0)
  console.log(`${title}: ${ratio} × the time of git merge-file, longest step ${longest} ms`)
}

const compareWithHistory = (repository: string) => {
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-C", repository, ...args], {
      encoding: "utf8",
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "ignore"]
    })
  const counts = { bothMerged: 0, different: 0, bothConflict: 0, onlyGitMerged: 0, onlyByWords: 0 }
  const changed = (from: string, to: string) =>
    new Set(git("diff", "--name-only", "-z", from, to, "--", "*.md").split("\0"))
  for (const commit of git("log", "--merges", "--format=%P").trim().split("\n")) {
    const [primary, change] = commit.split(" ") as [string, string]
    let base: string
    try {
      base = git("merge-base", primary, change).trim()
    } catch {
      continue
    }
    const files = changed(base, change)
    for (const file of changed(base, primary)) {
      if (file === "" || !files.has(file)) continue
      let versions: Versions
      try {
        const at = (one: string) => git("show", `${one}:${file}`)
        versions = { base: at(base), primary: at(primary), change: at(change) }
      } catch {
        continue // One side has deleted or renamed the file.
      }
      const expected = mergeWithGit(versions).text
      const merged = mergeTexts(versions.base, versions.primary, versions.change)
      if (merged._tag === "Merged") {
        if (expected === undefined) counts.onlyByWords++
        else if (merged.text === expected) counts.bothMerged++
        else counts.different++
      } else if (expected === undefined) counts.bothConflict++
      else counts.onlyGitMerged++
    }
  }
  console.log(`${repository}:`, counts)
}

try {
  const [repository] = process.argv.slice(2)
  const next = makeNumbers(10)
  measureLines(
    `${lineCount} distinct lines`,
    Array.from({ length: lineCount }, (_, index) => `This is line ${index} of a long text.`)
  )
  measureLines(
    `${lineCount} lines of ten kinds`,
    Array.from({ length: lineCount }, () => `Line of kind ${next()}.`)
  )
  if (repository !== undefined) compareWithHistory(repository)
} finally {
  rmSync(folder, { recursive: true })
}
