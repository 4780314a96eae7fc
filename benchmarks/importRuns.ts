/**
 * Imports a repository in the background while the server is killed, and measures its memory: `npm run bench:import-runs`,
 * with the number of pages as an argument, 5,000 by default.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

const pageCount = Number(process.argv[2] ?? 5000)
const [port, token] = [4631, "the-token-of-the-administrator-of-this-benchmark"]
const folder = mkdtempSync(join(tmpdir(), "import-runs-"))

const paragraph = "Words of a paragraph with `code`, **bold text** and a [link](page-1.md#heading). ".repeat(
  8
)

/** Creates a file of a tar archive. */
const tarEntry = (path: string, text: string): Buffer => {
  const [header, content] = [Buffer.alloc(512), Buffer.from(text)]
  header.write(path)
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124)
  header.write("0", 156)
  header.write("ustar\x0000", 257)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

const archive = gzipSync(
  Buffer.concat([
    ...Array.from({ length: pageCount }, (_, index) =>
      tarEntry(
        `section-${index % 50}/page-${index}.md`,
        `---\ndescription: Page ${index}\n---\n\n# Page ${index}\n\n${`${paragraph}\n\n## Heading\n\n`.repeat(6)}`
      )
    ),
    Buffer.alloc(1024)
  ])
)

let requests = 0
const source = createServer((_, response) => {
  requests++
  response.writeHead(200, { "content-type": "application/gzip" }).end(archive)
})
await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/docs.tar.gz`

const startServer = (): ChildProcess =>
  spawn(process.execPath, ["--conditions=@lectern/source", "packages/lectern/src/cli/main.ts", "serve"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      LECTERN_DATABASE_URL: `sqlite:${join(folder, "lectern.db")}`,
      LECTERN_PORT: String(port),
      LECTERN_ADMIN_EMAIL: "admin@example.com",
      LECTERN_ADMIN_TOKEN: token,
      LECTERN_FETCH_ALLOW: "127.0.0.1",
      LECTERN_LOG_LEVEL: "error"
    }
  })

const call = async <A>(method: string, path: string, body?: unknown): Promise<A> => {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).catch(() => undefined)
    if (response?.ok === true) return (await response.json()) as A
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** The resident memory of a process in megabytes. */
const memoryOf = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024

interface Run {
  readonly id: string
  readonly status: string
  readonly importedResources: number
  readonly error?: string
}

let server = startServer()
const organization = (await call<{ items: ReadonlyArray<{ id: string }> }>("GET", "/orgs")).items[0]!.id
const space = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).id
const runs = `/org/${organization}/imports`
const started = performance.now()
const { id } = await call<Run>("POST", runs, { source: { type: "tarball", url }, target: { space } })
const idleMB = memoryOf(server)
let isKilled = false
let next = 0
for (;;) {
  const run = await call<Run>("GET", `${runs}/${id}`)
  if (run.importedResources >= next || run.status === "completed") {
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(
      `${seconds} s: ${run.status}, ${run.importedResources} pages, ${memoryOf(server).toFixed(0)} MB`
    )
    next = run.importedResources + pageCount / 10
  }
  if (run.status === "failed" || run.status === "completed") {
    if (run.error !== undefined) console.log(run.error)
    break
  }
  if (!isKilled && run.importedResources > pageCount / 2) {
    isKilled = true
    server.kill("SIGKILL")
    server = startServer()
    console.log("killed")
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
}
console.log(`idle ${idleMB.toFixed(0)} MB; the archive was requested ${requests} times`)
const { pages } = await call<{ pages: ReadonlyArray<{ pages: ReadonlyArray<unknown> }> }>(
  "GET",
  `/spaces/${space}/content/pages`
)
console.log(`${pages.reduce((sum, page) => sum + page.pages.length, 0)} pages in ${pages.length} groups`)
server.kill("SIGKILL")
source.close()
rmSync(folder, { recursive: true })
