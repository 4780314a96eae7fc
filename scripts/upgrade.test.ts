/** Programs that were written for the last release compile against these packages: the examples of its tag. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 24
  })

/** Returns the tag of the last release; before the first one, the commit in `scripts/firstRelease.txt`. */
const lastRelease = (): string => {
  try {
    return git("describe", "--tags", "--match", "v*", "--abbrev=0").trim()
  } catch {
    return readFileSync(join(root, "scripts/firstRelease.txt"), "utf8").trim()
  }
}

it("the examples of the last release compile", () => {
  const release = lastRelease()
  const files = git("ls-tree", "--name-only", release, "examples/")
    .split("\n")
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  expect(files.length).toBeGreaterThan(8)
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true })
  const folder = mkdtempSync(join(root, "node_modules/.cache/lectern-upgrade-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of files) {
    writeFileSync(join(folder, file.slice("examples/".length)), git("show", `${release}:${file}`))
  }
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.tests.json"),
      compilerOptions: { incremental: false, typeRoots: [join(root, "node_modules/@types")] },
      include: ["*.ts"],
      exclude: []
    })
  )
  let output = ""
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["--noEmit", "--pretty", "false", "-p", folder], {
      encoding: "utf8",
      cwd: folder
    })
  } catch (error) {
    output = String((error as { stdout?: unknown }).stdout)
  }
  expect(output).toBe("")
})
