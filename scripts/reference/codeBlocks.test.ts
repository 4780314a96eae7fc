/** The code of the documentation: TypeScript compiles, and marked commands run against a server. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const listed = [...readFileSync(join(root, "docs/SUMMARY.md"), "utf8").matchAll(/\]\(([^)]+\.md)\)/g)].map(
  ([, path]) => join("docs", path!)
)

/** Pages with fragments of programs: `http/test/webhookGuide.test.ts` and `backupLaws.test.ts` run their functions. */
const withOwnTest = ["docs/webhooks.md", "docs/backup.md"]

interface Block {
  readonly page: string
  readonly line: number
  readonly code: string
  /** Whether the line above the block is the mark of commands that are run. */
  readonly isRun: boolean
}

const blocksOf = (language: string): ReadonlyArray<Block> =>
  ["README.md", ...listed]
    .filter((page) => !withOwnTest.includes(page))
    .flatMap((page) => {
      const text = readFileSync(join(root, page), "utf8")
      const pattern = new RegExp(`(<!-- run -->\\n)?^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm")
      return [...text.matchAll(pattern)].map(({ 1: mark, 2: code, index }) => ({
        page,
        line: text.slice(0, index).split("\n").length + (mark === undefined ? 0 : 1),
        code: code!,
        isRun: mark !== undefined
      }))
    })

it("every block of TypeScript compiles", () => {
  // Modules are resolved from a folder of the repository.
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true })
  const folder = mkdtempSync(join(root, "node_modules/.cache/lectern-docs-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const blocks = blocksOf("ts")
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

/** Returns a free port. */
const findPort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

it("the marked commands run in the order of the pages", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-docs-"))
  const port = await findPort()
  const token = "a-token-for-the-commands-of-the-documentation"
  const child = spawn(
    process.execPath,
    [
      "--conditions=@lectern/source",
      join(root, "packages/http/src/cli/main.ts"),
      "serve",
      "--port",
      String(port)
    ],
    {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", LECTERN_ADMIN_TOKEN: token, LECTERN_LOG_LEVEL: "error" }
    }
  )
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await once(child, "exit").catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  })
  let printed = ""
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (text) => {
      printed += text
      if (/serves .* at http/.test(printed)) resolve()
    })
    child.once("exit", () => reject(new Error(`The server ended: ${printed}`)))
  })
  const base = `http://127.0.0.1:${port}`
  const firstId = async (path: string): Promise<string | undefined> => {
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${token}` } })
    const { items } = (await response.json()) as { items: ReadonlyArray<{ id: string }> }
    return items[0]?.id
  }
  const blocks = blocksOf("sh").filter(({ isRun }) => isRun)
  expect(blocks.length).toBeGreaterThan(10)
  // The pages after the quick start use its space. A space can be on any number of sites.
  const order = ["README.md", "docs/quick-start.md", "docs/tour.md"]
  const rank = ({ page }: Block) => (order.indexOf(page) + order.length + 1) % (order.length + 1)
  let variables = ""
  for (const { page, line, code } of blocks.toSorted((one, other) => rank(one) - rank(other))) {
    const organization = (await firstId("/v1/orgs"))!
    const lookups: Record<string, () => Promise<string | undefined>> = {
      organization: () => Promise.resolve(organization),
      space: () => firstId(`/v1/orgs/${organization}/spaces`),
      site: () => firstId(`/v1/orgs/${organization}/sites`),
      team: () => firstId(`/v1/orgs/${organization}/teams`)
    }
    let script = code.replaceAll("http://127.0.0.1:4400", base)
    for (const [name, lookUp] of Object.entries(lookups)) {
      if (script.includes(`<${name}>`)) script = script.replaceAll(`<${name}>`, (await lookUp()) ?? "none")
    }
    if (/^[A-Z]+=/.test(script)) variables = script
    const prelude = `set -eu\ncurl() { command curl --silent --show-error --fail-with-body "$@"; }\n${variables}\n`
    const run = spawn("bash", ["-c", prelude + script], {
      env: { PATH: process.env.PATH ?? "", TOKEN: token }
    })
    let output = ""
    run.stdout.on("data", (text) => {
      output += text
    })
    run.stderr.on("data", (text) => {
      output += text
    })
    const [status] = await once(run, "close")
    expect([`${page}:${line}`, status, output]).toEqual([`${page}:${line}`, 0, expect.anything()])
  }
})
