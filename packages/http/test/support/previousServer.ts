/** Runs the command and the server of earlier schemas, from the history of the repository. */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import { type ServerProcess, waitUntilServing } from "./commandProcess.ts"
import { schemaCommits } from "./schemaCommits.ts"

const root = join(import.meta.dirname, "../../../..")

/** The previous schema. */
export const previousSchema: number = Math.max(...Object.keys(schemaCommits).map(Number))

/** Whether the commit of a schema is in the history: a shallow clone does not contain it. */
export const hasCommitOf = (schema: number): boolean => {
  try {
    execFileSync("git", ["cat-file", "-e", `${schemaCommits[schema]}^{commit}`], {
      cwd: root,
      stdio: "ignore"
    })
    return true
  } catch {
    return false
  }
}

interface Package {
  readonly name: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const packageOf = (folder: string): Package => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The folders of installed dependencies: that of the repository, and folders of packages that need other versions. */
const installations = [
  join(root, "node_modules"),
  ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "node_modules"))
]

/**
 * Returns the folder of an installed dependency with a version, which another package may have needed at an earlier time. Packages of
 * the repository come from the extracted version.
 */
const findInstalled = (dependency: string, version: string): string | undefined =>
  dependency.startsWith("@lectern/")
    ? undefined
    : installations
        .map((folder) => join(folder, dependency))
        .find((folder) => existsSync(join(folder, "package.json")) && packageOf(folder).version === version)

/** Links the entries of a folder of dependencies, except for the packages of the repository. */
const linkDependencies = (source: string, target: string): void => {
  mkdirSync(target, { recursive: true })
  for (const entry of readdirSync(source)) {
    const installed = join(source, entry)
    // npm links the packages of the repository.
    if (entry.startsWith(".") || entry === "@lectern" || lstatSync(installed).isSymbolicLink()) continue
    symlinkSync(installed, join(target, entry))
  }
}

/**
 * Extracts the sources of the version that had a schema to a folder. Its dependencies are the installed ones, in the version that it
 * requires if that is installed, because installing others takes longer than the test.
 */
export const extractVersion = (schema: number, folder: string): void => {
  const sources = [schemaCommits[schema]!, "package.json", "packages"]
  const archive = execFileSync("git", ["archive", ...sources], { cwd: root, maxBuffer: 1 << 30 })
  execFileSync("tar", ["x", "-C", folder], { input: archive })
  const modules = join(folder, "node_modules")
  linkDependencies(join(root, "node_modules"), modules)
  mkdirSync(join(modules, "@lectern"))
  for (const name of readdirSync(join(folder, "packages"))) {
    const extracted = join(folder, "packages", name)
    symlinkSync(extracted, join(modules, packageOf(extracted).name))
    for (const [dependency, version] of Object.entries(packageOf(extracted).dependencies ?? {})) {
      const installed = findInstalled(dependency, version)
      if (installed === undefined) continue
      const link = join(extracted, "node_modules", dependency)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(installed, link)
    }
  }
}

/** The arguments of Node that run the command of an extracted version, which was in the package http in earlier ones. */
const commandLineIn = (folder: string): ReadonlyArray<string> => [
  "--conditions=@lectern/source",
  existsSync(join(folder, "packages/lectern"))
    ? "packages/lectern/src/cli/main.ts"
    : "packages/http/src/cli/main.ts"
]

/** Runs the command of an extracted version, and returns its output. Throws if it fails. */
export const runPreviousCommand = (
  folder: string,
  args: ReadonlyArray<string>,
  env: Record<string, string> = {}
): string =>
  execFileSync(process.execPath, [...commandLineIn(folder), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", ...env },
    encoding: "utf8"
  })

/** Starts the server of an extracted version, and kills it after the test. */
export const startPreviousServer = (folder: string, env: Record<string, string>): Promise<ServerProcess> => {
  const child = spawn(process.execPath, [...commandLineIn(folder), "serve", "--port", "0"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", ...env }
  })
  onTestFinished(() => {
    child.kill("SIGKILL")
  })
  return waitUntilServing(child)
}
