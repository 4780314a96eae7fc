/** The TypeScript of the documentation compiles. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { type Block, blocksOf, repositoryFolder as root } from "./codeBlocks.ts"

/** Pages with fragments of programs: `http/test/webhookGuide.test.ts` and `backupLaws.test.ts` run their functions. */
const withOwnTest = ["docs/webhooks.md", "docs/backup.md"]

it("every block of TypeScript compiles", () => {
  // Modules are resolved from a folder of the repository.
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true })
  const folder = mkdtempSync(join(root, "node_modules/.cache/lectern-docs-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const blocks = blocksOf("ts").filter(({ page, isFile }) => !isFile && !withOwnTest.includes(page))
  expect(blocks.length).toBeGreaterThan(15)
  const sources = new Map<string, Block>()
  for (const [index, block] of blocks.entries()) {
    const name = `block${index}.ts`
    sources.set(name, block)
    // A block without imports is a module as well, so that its names do not collide with others.
    writeFileSync(join(folder, name), `${block.code}\nexport {}\n`)
  }
  const configuration = {
    extends: join(root, "tsconfig.tests.json"),
    compilerOptions: {
      verbatimModuleSyntax: false,
      isolatedModules: false,
      typeRoots: [join(root, "node_modules/@types")]
    },
    include: ["*.ts"]
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration))
  let output = ""
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["--noEmit", "--pretty", "false", "-p", folder], {
      encoding: "utf8",
      cwd: folder
    })
  } catch (error) {
    output = String((error as { stdout?: unknown }).stdout)
  }
  const problems = output.replaceAll(
    /^\S*?(block\d+\.ts)\((\d+),\d+\)/gm,
    (_, name: string, line: string) => {
      const { page, line: first } = sources.get(name)!
      return `${page}:${first + Number(line)}`
    }
  )
  expect(problems).toBe("")
})
