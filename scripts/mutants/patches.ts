/** The planted bugs: patches in `testing/mutants`. Each starts with a title and the test files that are expected to find it. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the repository. */
export const repository = fileURLToPath(new URL("../..", import.meta.url))

const folder = join(repository, "testing", "mutants")

/** A planted bug. */
export interface Mutant {
  /** The name of the patch, without its ending. */
  readonly name: string
  readonly title: string
  /** The test files that run first. */
  readonly suites: ReadonlyArray<string>
  /** The source files that the patch changes. */
  readonly files: ReadonlyArray<string>
  /** The file of the patch. */
  readonly patch: string
  /** A digest of the patch: a result is valid as long as it is the same. */
  readonly digest: string
}

/** Reads all planted bugs, by name. */
export const readMutants = (): ReadonlyArray<Mutant> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".patch"))
    .sort()
    .map((name) => {
      const patch = join(folder, name)
      const text = readFileSync(patch, "utf8")
      const [head = ""] = text.split(/^--- /m, 1)
      return {
        name: name.replace(/\.patch$/, ""),
        title: head.split("\n", 1)[0]!.trim(),
        suites: [...head.matchAll(/^ {2}(\S+)$/gm)].map(([, suite]) => suite!),
        files: [...text.matchAll(/^\+\+\+ b\/(\S+)$/gm)].map(([, file]) => file!),
        patch,
        digest: createHash("sha256").update(text).digest("hex")
      }
    })

/**
 * Applies a patch in a folder, or only checks that it applies, and returns the error of Git. One line of context is enough, so that
 * changes next to a planted bug do not invalidate it.
 */
export const applyPatch = (
  patch: string,
  target: string,
  ...flags: ReadonlyArray<"--check">
): string | undefined => {
  const { status, stderr } = spawnSync("git", ["apply", "-C1", ...flags, patch], {
    cwd: target,
    encoding: "utf8",
    // Git ignores paths outside of a repository that it finds above the folder.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(target) }
  })
  return status === 0 ? undefined : stderr.trim()
}
