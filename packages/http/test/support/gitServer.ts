/** A Git server over HTTP for tests, with a repository that they change with `git`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { type GitHostOptions, git, startGitHost } from "@lectern/harness/git"
import { onTestFinished } from "vitest"
import { temporaryFolder } from "../stores.ts"
import type { Files } from "./repositories.ts"

export { git } from "@lectern/harness/git"

/** Starts a server with one repository, whose branch `main` does not exist yet, until the test has finished. */
export const startGitServer = async (options: GitHostOptions = {}) => {
  const root = temporaryFolder()
  const { url, paths, bare, work, close } = await startGitHost(root, options)
  onTestFinished(close)

  /** Writes files, and removes the files that are `undefined`, without a commit. */
  const writeFiles = (files: Readonly<Record<string, string | Uint8Array | undefined>>): void => {
    for (const [path, content] of Object.entries(files)) {
      const file = join(work, path)
      if (content === undefined) {
        rmSync(file)
        continue
      }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }

  return {
    url,
    paths,
    bare,
    work,
    writeFiles,
    /** Commits and pushes changes, and returns the hash of the commit. */
    commit: (
      files: Readonly<Record<string, string | Uint8Array | undefined>>,
      message = "Change the documentation",
      ...flags: ReadonlyArray<string>
    ): string => {
      writeFiles(files)
      git(work, "add", "--all", "--force")
      git(work, "commit", "--quiet", "--allow-empty", "--message", message, ...flags)
      git(work, "push", "--quiet", "--force", "origin", "HEAD")
      return git(work, "rev-parse", "HEAD")
    },
    /** Makes the work tree equal to the branch of the server. */
    pull: (): void => {
      git(work, "fetch", "--quiet", "origin")
      git(work, "reset", "--quiet", "--hard", "origin/main")
    },
    /** Returns the files of a commit of the server. Fails if an object of the repository is malformed. */
    filesOf: (reference = "main"): Files => {
      git(bare, "fsck", "--strict", "--full")
      const folder = join(root, `checkout-${readdirSync(root).length}`)
      git(root, "clone", "--quiet", bare, folder)
      git(folder, "checkout", "--quiet", "--detach", git(bare, "rev-parse", reference))
      const read = (path: string): ReadonlyArray<readonly [string, Uint8Array]> =>
        readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
          const full = join(path, entry.name)
          if (entry.isDirectory()) return entry.name === ".git" ? [] : read(full)
          return entry.isFile() ? [[relative(folder, full), readFileSync(full)] as const] : []
        })
      return Object.fromEntries(read(folder))
    }
  }
}
