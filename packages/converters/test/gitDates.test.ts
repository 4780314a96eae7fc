/** The dates of pages from histories equal the dates that `git log` finds. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runs } from "@lectern/harness"
import { git } from "@lectern/harness/git"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readGitDates } from "../src/imports/readGitDates.ts"

/** A commit of a generated history: its parents are earlier commits. */
interface Drawn {
  readonly parents: ReadonlyArray<number>
  readonly changes: ReadonlyArray<{ readonly path: string; readonly text: string | undefined }>
}

const paths = ["README.md", "a/b.md", "a/c.md", "a/d/e.md", "ä.md", "image.png"]

const arbitraryHistory: fc.Arbitrary<ReadonlyArray<Drawn>> = fc.array(
  fc.record({
    parents: fc.array(fc.nat(6), { minLength: 1, maxLength: 2 }),
    changes: fc.array(
      fc.record({
        path: fc.constantFrom(...paths),
        text: fc.option(fc.constantFrom("one", "two", "three"), { nil: undefined, freq: 5 })
      }),
      { maxLength: 3 }
    )
  }),
  { minLength: 1, maxLength: 14 }
)

/** Returns the commands of `git fast-import` for a history. A commit is a minute after the one before it. */
const commandsOf = (history: ReadonlyArray<Drawn>): string =>
  history
    .map(({ parents, changes }, index) => {
      const before = [...new Set(parents.map((distance) => index - 1 - distance))].filter((at) => at >= 0)
      const all = index === 0 ? [{ path: "README.md", text: "start" }, ...changes] : changes
      return [
        "commit refs/heads/main",
        `mark :${index + 1}`,
        `committer Tester <tester@example.com> ${1_600_000_000 + index * 60} +0000`,
        "data 0",
        ...before.map((at, order) => `${order === 0 ? "from" : "merge"} :${at + 1}`),
        ...all.map(({ path, text }) =>
          text === undefined ? `D "${path}"` : `M 100644 inline "${path}"\ndata ${text.length}\n${text}`
        ),
        ""
      ].join("\n")
    })
    .join("\n")

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lectern-dates-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let repositories = 0

const createRepository = (history: ReadonlyArray<Drawn>): string => {
  const repository = join(folder, String(repositories++))
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main", repository)
  execFileSync("git", ["fast-import", "--quiet", "--force"], { cwd: repository, input: commandsOf(history) })
  return repository
}

/** Returns a packfile with the commits of the branch and their folders. */
const packOf = (repository: string): Uint8Array =>
  execFileSync("git", ["pack-objects", "--revs", "--stdout", "--filter=blob:none", "--quiet"], {
    cwd: repository,
    input: "main\n"
  })

/** Returns the dates of the pages of the branch that Git finds, below a folder. */
const datesByGit = (repository: string, below: string): ReadonlyMap<string, string> =>
  new Map(
    git(repository, "ls-tree", "-r", "-z", "--name-only", "main")
      .split("\0")
      .filter((path) => path.endsWith(".md") && path.startsWith(below))
      .map((path) => {
        const seconds = Number(git(repository, "log", "-1", "--format=%ct", "main", "--", path))
        return [path.slice(below.length), new Date(seconds * 1000).toISOString()] as const
      })
  )

const sorted = (dates: ReadonlyMap<string, string>) =>
  [...dates].sort(([one], [other]) => (one < other ? -1 : 1))

describe("the dates of pages from a history", () => {
  it("are the dates of the last commits that `git log` finds, with branches and merges", () => {
    fc.assert(
      fc.property(arbitraryHistory, fc.constantFrom("", "a"), (history, below) => {
        const repository = createRepository(history)
        const commit = git(repository, "rev-parse", "main")
        const expected = sorted(datesByGit(repository, below === "" ? "" : `${below}/`))
        const dates = readGitDates({ bytes: packOf(repository), commit, folder: below })
        expect(sorted(dates)).toEqual(expected)
      }),
      runs(40)
    )
  }, 120_000)

  it("are the date of the oldest commit for pages that it did not change, if the history is incomplete", () => {
    const history = Array.from({ length: 5 }, (_, index) => ({
      parents: [0],
      changes: [{ path: index === 4 ? "a/b.md" : "image.png", text: String(index) }]
    }))
    const repository = createRepository(history)
    const commit = git(repository, "rev-parse", "main")
    const bytes = execFileSync(
      "git",
      ["pack-objects", "--revs", "--stdout", "--filter=blob:none", "--quiet"],
      {
        cwd: repository,
        input: "main\n^main~2\n"
      }
    )
    const minute = (index: number) => new Date((1_600_000_000 + index * 60) * 1000).toISOString()
    expect(sorted(readGitDates({ bytes, commit, folder: "" }))).toEqual([
      ["README.md", minute(3)],
      ["a/b.md", minute(4)]
    ])
  })
})
