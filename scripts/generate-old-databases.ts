/**
 * Writes the databases of earlier schemas to `packages/http/test/old-databases`, for the tests of upgrades. Each is created
 * by the server of the last commit that had this schema, from Git's history, over its API.
 *
 * Run `node scripts/generate-old-databases.ts [<schema>...]` in a clone with full history. Ids and times differ in each
 * run; the content is the same. Commit the result, and never change a database that is committed: it is a released one.
 */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gzipSync } from "node:zlib"
import { schemaCommits } from "../packages/http/test/support/schemaCommits.ts"

const root = join(import.meta.dirname, "..")
const target = join(root, "packages/http/test/old-databases")
const token = "the-token-of-the-administrator-of-old-databases"
const port = 4617

/** Extracts the sources of a commit, and installs its dependencies. */
const extractCommit = (commit: string, folder: string): void => {
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 1 << 30 })
  execFileSync("tar", ["x", "-C", folder], { input: archive })
  // The lock files of some commits lack packages. Every dependency has an exact version.
  const flags = ["--omit=dev", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"]
  execFileSync("npm", ["install", ...flags], { cwd: folder, stdio: "ignore" })
}

type Json = Record<string, unknown>

const request = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === "" ? {} : (JSON.parse(text) as Json)
}

const page = (title: string, markdown: string, parent?: string) => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...(parent === undefined ? {} : { parent })
})

/** Fills a workspace by the operations that the API of the schema has. */
const fillWorkspace = async (schema: number): Promise<void> => {
  const { items } = (await request("GET", "/orgs")) as { items: ReadonlyArray<Json> }
  const organization = `/orgs/${items[0]!.id}`
  const collection = await request("POST", `${organization}/collections`, { title: "Guides" })
  const space = await request("POST", `${organization}/spaces`, { title: "Manual", parent: collection.id })
  await request("POST", `${organization}/spaces`, { title: "Notes" })
  if (schema < 2) return
  const inserted = await request("POST", `/spaces/${space.id}/content`, {
    changes: [
      page("Start", "# Start\n\nWelcome to the quixotic manual. See [setup](https://example.com)."),
      page("Setup", "## Install\n\nRun the installer.\n\n## Configure\n\nEdit the file.")
    ]
  })
  const pages = (inserted.changes as ReadonlyArray<{ page: Json }> | undefined)?.map(
    (change) => change.page.id
  )
  const { number } = await request("POST", `/spaces/${space.id}/change-requests`, { subject: "Draft" })
  await request("POST", `/spaces/${space.id}/change-requests/${number}/content`, {
    changes: [page("Proposed", "A page of a change request.")]
  })
  if (schema < 3) return
  await request("POST", `/spaces/${space.id}/comments`, {
    body: { markdown: "A comment." },
    ...(pages?.[0] === undefined ? {} : { page: pages[0] })
  })
  if (schema < 4) return
  await request("PUT", `${organization}/teams`, { title: "Writers" })
  if (schema < 5) return
  const site = await request("POST", `${organization}/sites`, { title: "Docs" })
  await request("POST", `${organization}/sites/${site.id}/site-spaces`, { spaceId: space.id })
}

const stopServer = async (server: ReturnType<typeof spawn>): Promise<void> => {
  const exited = new Promise((resolve) => server.once("exit", resolve))
  server.kill("SIGTERM")
  await exited
}

const createDatabase = async (schema: number, folder: string): Promise<void> => {
  extractCommit(schemaCommits[schema]!, folder)
  const file = join(folder, "old.db")
  const command = ["lectern", "http"]
    .map((name) => `packages/${name}/src/cli/main.ts`)
    .find((path) => existsSync(join(folder, path)))!
  const server = spawn(
    process.execPath,
    ["--conditions=@lectern/source", command, "serve", "--port", String(port)],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, LECTERN_DATABASE_URL: `sqlite:${file}`, LECTERN_ADMIN_TOKEN: token }
    }
  )
  try {
    for (let attempt = 0; ; attempt++) {
      if ((await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok === true) break
      if (attempt > 3_000 || server.exitCode !== null)
        throw new Error(`Schema ${schema}: the server did not start.`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await fillWorkspace(schema)
  } finally {
    await stopServer(server)
  }
  const database = new DatabaseSync(file)
  const last = database.prepare('SELECT MAX("number") AS "last" FROM "lecternMigrations"').get()?.last
  if (last !== schema) throw new Error(`The commit of schema ${schema} has schema ${last}.`)
  database.exec("PRAGMA journal_mode = DELETE; VACUUM")
  database.close()
  writeFileSync(
    join(target, `schema-${String(schema).padStart(4, "0")}.db.gz`),
    gzipSync(readFileSync(file), { level: 9 })
  )
}

const requested = process.argv.slice(2).map(Number)
mkdirSync(target, { recursive: true })
for (const schema of requested.length > 0 ? requested : Object.keys(schemaCommits).map(Number)) {
  const folder = mkdtempSync(join(tmpdir(), "lectern-old-"))
  try {
    await createDatabase(schema, folder)
    console.log(`Wrote the database of schema ${schema}.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
