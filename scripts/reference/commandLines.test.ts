/** Every command line of the documentation runs against a server, with its placeholders replaced. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, it, onTestFinished } from "vitest"
import { type Block, blocksOf, repositoryFolder } from "./codeBlocks.ts"

const token = "a-token-for-the-commands-of-the-documentation"

/** The secret of the workspace, as operators set it. Other workspaces accept an export only with the same secret. */
const secret = "a-secret-of-the-workspace-of-the-documentation"

/** The maximum duration of a block, in milliseconds: on a machine that is slow and busy. */
const blockTimeoutMs = 180_000

const command = ["--conditions=@lectern/source", join(repositoryFolder, "packages/lectern/src/cli/main.ts")]

/** The programs of the documentation, as functions of the shell: they run the sources, and servers end when they serve. */
const prelude = `set -eu
curl() { command curl --silent --show-error --fail-with-body "$@" | tee "$FOLDER/response"; }
field() { node -e 'const all = JSON.parse(require("fs").readFileSync(process.argv[1])); const find = (o) => o === null || typeof o !== "object" ? undefined : o[process.argv[2]] ?? Object.values(o).map(find).find((v) => v !== undefined); console.log(find(all))' "$FOLDER/response" "$1"; }
lectern() {
  if [ "$1" != serve ]; then node $COMMAND "$@"; return; fi
  local args=()
  while [ $# -gt 0 ]; do
    if [ "$1" = --port ]; then shift 2; else args+=("$1"); shift; fi
  done
  node $COMMAND "\${args[@]}" --port 0 > "$FOLDER/server.log" 2>&1 & local server=$!
  for attempt in $(seq 600); do
    if grep -q "at http" "$FOLDER/server.log"; then kill $server; wait $server || true; return 0; fi
    kill -0 $server 2> /dev/null || break
    sleep 0.2
  done
  cat "$FOLDER/server.log"; return 1
}
npx() {
  [ "$1" = lectern ] && shift
  # People sign in to the server of the first start, and other commands use the workspace of the demonstration.
  local database=seeded.db
  if [[ " sign-in session invitation " == *" $1 "* ]]; then database=started.db; fi
  LECTERN_DATABASE_URL="sqlite:$database" lectern "$@"
}
npm() {
  if [ "$1" = start ]; then LECTERN_DATABASE_URL=sqlite:started.db lectern serve; return; fi
  if [ "$1" = test ]; then node -e 'if (!require(process.argv[1]).scripts.test) process.exit(1)' "$REPOSITORY/package.json"; return; fi
  [ "$1" = install ] || return 1
  shift
  for package in "$@"; do case "$package" in -*) continue ;; esac; test -e "$REPOSITORY/node_modules/$package" || { echo "$package is not a dependency"; return 1; }; done
}
`

/** Addresses of the documentation that exist only there, with their replacements in the folder of the test. */
const stand = (
  folder: string,
  base: string,
  website: string,
  block: number
): ReadonlyArray<readonly [string, string]> => [
  ["http://127.0.0.1:4400", base],
  // The server of the test is also the source, whose organization is copied into another one.
  [
    "lectern migrate gitbook",
    `lectern migrate gitbook --from-url ${base} --folder ${join(folder, `m${block}`)}`
  ],
  ["https://example.com/docs/", website],
  ["/backups", join(folder, "backups")],
  ["/run/secrets/lectern", join(folder, "secret")],
  ["postgres://lectern@db/lectern", "sqlite:copied.db"],
  ["postgres://lectern@db/other", "sqlite:other.db"],
  // Each block has a database of its own there: some commands require an empty one.
  ["postgres://user:password@localhost/lectern", `sqlite:local-${block}.db`],
  ["2:<new>,1:<old>", `2:${"n".repeat(32)},1:${"o".repeat(32)}`],
  ["postgres://lectern:password@db.internal/lectern", "sqlite:production.db"]
]

/** Returns the database of the commands of a block. Some require another one than that of the server of the test. */
const databaseOf = (script: string, block: number): string =>
  script.includes("LECTERN_SECRETS=")
    ? "rotated.db"
    : script.includes("lectern migrate gitbook")
      ? "migrated.db"
      : /^lectern import /m.test(script) && !script.includes("lectern export")
        ? `imported-${block}.db`
        : "served.db"

const listen = async (answer: string): Promise<number> => {
  const server = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end(answer)
  ).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Starts a server on a free port in a folder; returns its URL. */
const startServer = async (folder: string): Promise<string> => {
  const child = spawn(process.execPath, [...command, "serve", "--port", "0"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      LECTERN_ADMIN_TOKEN: token,
      LECTERN_LOG_LEVEL: "error",
      LECTERN_FETCH_ALLOW: "127.0.0.1",
      LECTERN_SECRET: secret,
      LECTERN_DATABASE_URL: `sqlite:${join(folder, "served.db")}`
    }
  })
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await once(child, "exit").catch(() => undefined)
  })
  let printed = ""
  return new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (text) => {
      printed += text
      const url = /at (http:\/\/[\w.:]+)/.exec(printed)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once("exit", () => reject(new Error(`The server ended: ${printed}`)))
  })
}

/** Returns the id of the newest token that the operator has created for the user of the examples. */
const createdToken = (environment: NodeJS.ProcessEnv): string | undefined => {
  const args = [...command, "token", "list", "ada@example.com", "--json"]
  const listed = JSON.parse(execFileSync(process.execPath, args, { env: environment, encoding: "utf8" }))
  return (listed as ReadonlyArray<{ readonly id: string }>).at(-1)?.id
}

/** Inserts a job that has failed too often; returns its id. */
const insertDeadJob = (file: string): string => {
  const database = new DatabaseSync(file)
  database
    .prepare(
      "INSERT INTO jobs (id, kind, payload, state, runAt, attempts, error, createdAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    .run(
      "a-dead-job",
      "purge-events",
      "{}",
      "dead",
      "2026-01-01T00:00:00.000Z",
      10,
      "It failed.",
      "2026-01-01T00:00:00.000Z"
    )
  database.close()
  return "a-dead-job"
}

// The pages after the quick start use its space, and the pages of operators restore the backup into the default database.
const order = ["README.md", "docs/quick-start.md", "docs/tour.md", "docs/backup.md"]

const rank = ({ page }: Block): number => (order.indexOf(page) + order.length + 1) % (order.length + 1)

it("every command line of the documentation runs, in the order of the pages", {
  timeout: 1_800_000
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-docs-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // The home of a user of the three shells.
  for (const shell of [
    ".local/share/bash-completion/completions",
    ".zsh/completions",
    ".config/fish/completions"
  ]) {
    mkdirSync(join(folder, shell), { recursive: true })
  }
  writeFileSync(join(folder, "secret"), secret)
  writeFileSync(join(folder, "handbook.zip"), new Uint8Array(48_213))
  const website = `http://127.0.0.1:${await listen("<html><head><title>Start</title></head><body><main><h1>Start</h1><p>Text.</p></main></body></html>")}/`
  const base = await startServer(folder)
  const call = async (method: string, path: string, body?: object): Promise<{ readonly id?: string }> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const response = await fetch(base + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (await response.json()) as { readonly id?: string }
  }
  const firstId = async (path: string): Promise<string | undefined> => {
    const { items } = (await call("GET", path)) as { readonly items?: ReadonlyArray<{ readonly id: string }> }
    return items?.[0]?.id
  }
  const organization = (await firstId("/v1/orgs"))!
  await call("POST", "/v1/integrations/word-count", {
    title: "Word count",
    description: "Counts words.",
    script: "export default {}",
    scopes: ["space:content:read"],
    organization
  })
  const installation = (
    await call("POST", "/v1/integrations/word-count/installations", {
      organization,
      space_selection: "selected"
    })
  ).id
  const environment = {
    PATH: `${join(process.execPath, "..")}:${process.env.PATH ?? ""}`,
    HOME: folder,
    LECTERN_DATABASE_URL: `sqlite:${join(folder, "served.db")}`,
    LECTERN_LOG_LEVEL: "error"
  }
  const lookups: Record<string, () => Promise<string | undefined>> = {
    token: () => Promise.resolve(createdToken({ ...environment, LECTERN_SECRET: secret })),
    job: () => Promise.resolve(insertDeadJob(join(folder, "served.db"))),
    organization: () => Promise.resolve(organization),
    installation: () => Promise.resolve(installation),
    space: () => firstId(`/v1/orgs/${organization}/spaces`),
    site: () => firstId(`/v1/orgs/${organization}/sites`),
    team: () => firstId(`/v1/orgs/${organization}/teams`),
    provider: () => firstId(`/v1/orgs/${organization}/oidc`)
  }
  let variables = ""
  const failures: Array<string> = []
  const blocks = blocksOf("sh")
  expect(blocks.length).toBeGreaterThan(35)
  const ordered = blocks.toSorted((one, other) => rank(one) - rank(other))
  for (const [index, { page, line, code }] of ordered.entries()) {
    let script = code
    for (const [name, lookUp] of Object.entries(lookups)) {
      // A URL of a Git server contains a token of that server.
      if (script.replaceAll("<user>:<token>@", "").includes(`<${name}>`))
        script = script.replaceAll(`<${name}>`, (await lookUp()) ?? "none")
    }
    for (const [name, value] of stand(folder, base, website, index)) script = script.replaceAll(name, value)
    script = script.replaceAll('"<url>"', '"$(field url)"').replaceAll("<key>", `'"$(field key)"'`)
    if (/^[A-Z]+=http/.test(script)) variables = script
    // The database of an import has a workspace already.
    const database = databaseOf(script, index)
    const prepare = database.startsWith("imported") ? "lectern migrate" : ""
    const run = spawn("bash", ["-c", `${prelude}${variables}\n${prepare}\n${script}`], {
      cwd: folder,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...environment,
        LECTERN_DATABASE_URL: `sqlite:${join(folder, database)}`,
        TOKEN: token,
        ...(/LECTERN_SECRET(?:_FILE|S=)/.test(script) ? {} : { LECTERN_SECRET: secret }),
        FOLDER: folder,
        REPOSITORY: repositoryFolder,
        COMMAND: command.join(" ")
      }
    })
    let output = ""
    for (const stream of [run.stdout, run.stderr]) {
      stream.on("data", (text) => {
        output += text
      })
    }
    // The block has a process group of its own, which includes the processes that it starts.
    const timeout = setTimeout(() => process.kill(-run.pid!, "SIGKILL"), blockTimeoutMs)
    const [status] = await once(run, "close")
    clearTimeout(timeout)
    if (status !== 0) failures.push(`${page}:${line} ends with ${status}:\n${output}`)
  }
  expect(failures).toEqual([])
})

it("the guides of applications name the version of Node that the packages require", () => {
  const { engines } = JSON.parse(
    readFileSync(join(repositoryFolder, "packages/core/package.json"), "utf8")
  ) as { readonly engines: { readonly node: string } }
  const version = engines.node.replace(">=", "")
  for (const guide of ["express", "fastify", "hono", "next", "effect"]) {
    const text = readFileSync(join(repositoryFolder, `docs/guides/${guide}.md`), "utf8")
    expect([guide, text.includes(`Node ${version} or newer`)]).toEqual([guide, true])
  }
})
