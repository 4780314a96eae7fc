/**
 * Follows a new user: packs every package, installs the tarballs in an empty folder, type-checks and runs the examples there,
 * serves, backs up and restores a workspace with the installed command, and synchronizes a space with a Git server. Prints the
 * time of each step. It runs on the Node that starts it: `node scripts/check-examples.ts`. With `--postgres`, it restores into PostgreSQL.
 */
import { execFileSync, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { git, startGitHost } from "../harness/src/gitHost.ts"
import { createTestDatabase, startPostgres } from "../harness/src/postgres.ts"

interface PackageFile {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const readPackage = (file: string): PackageFile => JSON.parse(readFileSync(file, "utf8")) as PackageFile

const folder = mkdtempSync(join(tmpdir(), "lectern-examples-"))
const tarballs = join(folder, "tarballs")
const project = join(folder, "project")

/** The environment of a user: the Node of this process first, and without the commands of the repository. */
const env = {
  ...process.env,
  // The tests of the repository run all cases of the conformance suite.
  LECTERN_TEST_RUNS: process.env.LECTERN_TEST_RUNS ?? "0.1",
  PATH: [
    dirname(process.execPath),
    ...(process.env.PATH ?? "").split(delimiter).filter((path) => !path.includes("node_modules"))
  ].join(delimiter)
}

const run = (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  environment: Readonly<Record<string, string>> = {}
): string =>
  execFileSync(command, args, {
    cwd,
    env: { ...env, ...environment },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 26,
    // The commands of npm are scripts of the shell on Windows.
    shell: process.platform === "win32" && command === "npm"
  })

const runNode = (args: ReadonlyArray<string>, environment?: Readonly<Record<string, string>>): string =>
  run(process.execPath, args, project, environment)

const step = async <A>(title: string, action: () => A | Promise<A>): Promise<A> => {
  const started = performance.now()
  const result = await action()
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s  ${title}`)
  return result
}

const pack = () => {
  mkdirSync(tarballs)
  execFileSync(process.execPath, ["scripts/stage-packages.ts"], { stdio: "inherit" })
  for (const name of readdirSync("packages")) {
    run("npm", ["pack", "--silent", "--pack-destination", tarballs], join("packages", name, "package"))
  }
}

/** Writes a project with the examples, and with every package of Lectern as a tarball. */
const createProject = () => {
  // `npm run test:hosts` runs the examples of other frameworks.
  const isCopied = (path: string) => !path.includes("node_modules") && path !== join("examples", "hosts")
  cpSync("examples", project, { recursive: true, filter: isCopied })
  const { dependencies, devDependencies } = readPackage("examples/package.json")
  const versions = {
    ...readPackage("package.json").devDependencies,
    ...readPackage("packages/testkit/package.json").dependencies,
    ...readPackage("testing/package.json").dependencies
  }
  const packed = Object.fromEntries(
    readdirSync(tarballs).map((file) => [
      file.replace(/-\d+\.\d+\.\d+.*$/, "").replace(/^lectern-/, "@lectern/"),
      `file:${join(tarballs, file)}`
    ])
  )
  // The contract suite of the testkit requires its optional peers.
  const developed = ["@gitbook/api", "@types/node", "fast-check", "typescript", "vitest"]
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({
      private: true,
      type: "module",
      dependencies: { ...dependencies, ...packed },
      devDependencies: {
        ...devDependencies,
        ...Object.fromEntries(developed.map((name) => [name, versions[name]]))
      }
    })
  )
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        module: "nodenext",
        target: "es2024",
        lib: ["es2024", "esnext.disposable", "dom"],
        types: ["node"],
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        noEmit: true
      },
      // The contract suite uses the types of the official client, which only bundlers resolve.
      include: [
        "client.ts",
        "effect.ts",
        "effect-host.ts",
        "express.ts",
        "fastify.ts",
        "feature/*.ts",
        "journal-storage.ts",
        "shop/**/*.ts",
        "next.ts",
        "storage-adapter.ts",
        "web-handler.ts"
      ]
    })
  )
}

const lectern = (database: string, ...args: ReadonlyArray<string>): string =>
  runNode(["node_modules/lectern/dist/cli/main.js", ...args, "--database-url", database])

/** Serves a database until `use` has finished. */
const serving = async (
  database: string,
  use: (url: string) => Promise<void>,
  flags: ReadonlyArray<string> = []
) => {
  const args = ["node_modules/lectern/dist/cli/main.js", "serve", "--port", "0", ...flags]
  const server = spawn(process.execPath, [...args, "--database-url", database], { cwd: project, env })
  try {
    let printed = ""
    const url = await new Promise<string>((resolve, reject) => {
      const read = (text: Buffer) => {
        printed += text.toString()
        const found = /serves .* at (http:\S+)/.exec(printed)?.[1]
        if (found !== undefined) resolve(found)
      }
      server.stdout.on("data", read)
      server.stderr.on("data", read)
      server.once("exit", () => reject(new Error(`The server ended: ${printed}`)))
    })
    await use(url)
  } finally {
    server.removeAllListeners("exit")
    server.kill()
  }
}

/** Calls the API. Throws unless the response is successful. */
const call = async <A>(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown
): Promise<A> => {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text === "" ? undefined : JSON.parse(text)) as A
}

/** Requests the organizations of a token, and returns the id of the only one. */
const readOrganization = async (url: string, token: string): Promise<string> => {
  const { items } = await call<{ readonly items: ReadonlyArray<{ readonly id: string }> }>(
    url,
    token,
    "GET",
    "/orgs"
  )
  const [organization, ...others] = items
  if (organization === undefined || others.length > 0) throw new Error(`${items.length} organizations`)
  return organization.id
}

/** The time after which an operation of Git has failed, in milliseconds. */
const gitTimeoutMs = 60_000

/** Imports a branch into a new space, edits a page, and exports the edit to the branch. */
const synchronize = async (url: string, token: string): Promise<void> => {
  const root = join(folder, "git")
  mkdirSync(root)
  const host = await startGitHost(root)
  try {
    writeFileSync(join(host.work, "README.md"), "# Handbook\n\nFrom Git.\n")
    git(host.work, "add", "README.md")
    git(host.work, "commit", "--quiet", "--message", "Add the handbook")
    git(host.work, "push", "--quiet", "origin", "HEAD")
    const organization = await readOrganization(url, token)
    const { id } = await call<{ readonly id: string }>(url, token, "POST", `/orgs/${organization}/spaces`, {
      title: "Handbook"
    })
    const run = async (operation: "import" | "export", input: Record<string, unknown>): Promise<void> => {
      const connection = { url: host.url, ref: "refs/heads/main" }
      await call(url, token, "POST", `/spaces/${id}/git/${operation}`, { ...connection, ...input })
      const deadline = performance.now() + gitTimeoutMs
      for (;;) {
        const info = await call<{ readonly operation?: { readonly state: string } }>(
          url,
          token,
          "GET",
          `/spaces/${id}/git/info`
        )
        if (info.operation?.state === "success") return
        if (info.operation?.state === "failure" || performance.now() > deadline) {
          throw new Error(`The ${operation}: ${JSON.stringify(info)}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    await run("import", {})
    const { pages } = await call<{ readonly pages: ReadonlyArray<{ readonly id: string }> }>(
      url,
      token,
      "GET",
      `/spaces/${id}/content`
    )
    await call(url, token, "POST", `/spaces/${id}/content`, {
      changes: [
        { operation: "update_page", page: pages[0]?.id, document: { markdown: "From Git.\n\nFrom Lectern." } }
      ]
    })
    await run("export", { commitMessage: "Update the handbook" })
    const exported = git(host.bare, "show", "main:README.md")
    if (!exported.includes("From Git.") || !exported.includes("From Lectern.")) throw new Error(exported)
    if (git(host.bare, "log", "-1", "--format=%s", "main") !== "Update the handbook") {
      throw new Error("The export added no commit.")
    }
  } finally {
    await host.close()
  }
}

/** Starts the shop of the guide, on SQLite and without settings. */
const startShop = async () => {
  const shop = spawn(process.execPath, ["shop/main.ts"], { cwd: project, env: { ...env, PORT: "0" } })
  try {
    await new Promise<void>((resolve, reject) => {
      let printed = ""
      const read = (text: Buffer) => {
        printed += text.toString()
        if (printed.includes("The shop is open.")) resolve()
      }
      shop.stdout.on("data", read)
      shop.stderr.on("data", read)
      shop.once("exit", () => reject(new Error(`The shop ended: ${printed}`)))
    })
  } finally {
    shop.removeAllListeners("exit")
    shop.kill()
  }
}

const useCommand = async (postgres: string | undefined) => {
  const database = `sqlite:${join(project, "lectern.db")}`
  const { token, siteUrl } = await step(
    "create a workspace with a published site",
    () => JSON.parse(lectern(database, "seed", "--demo", "--json")) as Record<"token" | "siteUrl", string>
  )
  await step("serve it, call the API and read the site", () =>
    serving(database, async (url) => {
      await readOrganization(url, token)
      const page = await fetch(url + new URL(siteUrl).pathname)
      if (!page.ok || !(await page.text()).includes("<h1")) throw new Error(`The site: ${page.status}`)
    })
  )
  await step("synchronize a space with a Git server", () =>
    serving(database, (url) => synchronize(url, token), ["--fetch-allow", "127.0.0.1"])
  )
  const backups = join(project, "backups")
  await step("back it up", () => lectern(database, "backup", "--to", backups))
  const target =
    postgres === undefined ? `sqlite:${join(project, "restored.db")}` : await createTestDatabase(postgres)
  await step("restore it", () => lectern(target, "restore", "--from", backups))
  await step("check the restored workspace", () => lectern(target, "doctor"))
  await step("serve the restored workspace", () =>
    serving(target, async (url) => void (await readOrganization(url, token)))
  )
}

const postgres = process.argv.includes("--postgres") ? await startPostgres() : undefined
try {
  await step("pack the packages", pack)
  createProject()
  await step("install them in an empty folder", () =>
    run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], project)
  )
  await step("check the types of the examples", () => runNode(["node_modules/typescript/bin/tsc"]))
  await step(
    "run the examples: Effect, Express, Fastify, Hono, Next.js, client, contract, storage adapters, a feature, a shop",
    async () =>
      runNode(
        ["node_modules/vitest/vitest.mjs", "run", "--root", ".", "--testTimeout", "120000"],
        // The shop runs its tests on both stores.
        postgres === undefined ? {} : { DATABASE_URL: await createTestDatabase(postgres.url) }
      )
  )
  await step("start the shop", startShop)
  await useCommand(postgres?.url)
} catch (error) {
  const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string }
  console.error(stdout ?? "", stderr ?? "")
  throw error
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
