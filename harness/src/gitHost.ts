/** A Git server over HTTP: `git http-backend`, with the repositories of a folder. Also for programs that are not tests. */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { devNull } from "node:os"
import { join } from "node:path"

/** The environment of `git`, without the configuration of the machine. */
const environment = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_AUTHOR_NAME: "Tester",
  GIT_AUTHOR_EMAIL: "tester@example.com",
  GIT_COMMITTER_NAME: "Tester",
  GIT_COMMITTER_EMAIL: "tester@example.com"
}

/** Runs `git`, and returns its output. */
export const git = (folder: string, ...parameters: ReadonlyArray<string>): string =>
  execFileSync("git", parameters, { cwd: folder, env: environment, stdio: "pipe" }).toString().trim()

/** Options of {@link startGitHost}. */
export interface GitHostOptions {
  /** The value of the header `Authorization` that requests must have. */
  readonly authorization?: string
  /** Called when a request has arrived, before it is passed to Git. A returned status is the response. */
  readonly intercept?: (request: IncomingMessage) => Promise<number | undefined> | number | undefined
}

/** Starts a server of the folder `root` with one repository, whose branch `main` does not exist yet. */
export const startGitHost = async (root: string, options: GitHostOptions = {}) => {
  const bare = join(root, "docs.git")
  const work = join(root, "work")
  mkdirSync(bare)
  git(bare, "init", "--bare", "--initial-branch=main", ".")
  git(bare, "config", "http.receivepack", "true")
  git(root, "clone", bare, work)
  git(work, "checkout", "-b", "main")

  const paths: Array<string> = []
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://localhost")
    paths.push(`${request.method} ${url.pathname}${url.search}`)
    const body: Array<Buffer> = []
    for await (const chunk of request) body.push(chunk as Buffer)
    const status = await options.intercept?.(request)
    const isAuthorized =
      options.authorization === undefined || request.headers.authorization === options.authorization
    if (status !== undefined || !isAuthorized) {
      response.writeHead(status ?? 401, { "www-authenticate": "Basic" }).end()
      return
    }
    const backend = spawn("git", ["http-backend"], {
      env: {
        ...environment,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        REQUEST_METHOD: request.method ?? "GET",
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        REMOTE_ADDR: "127.0.0.1",
        REMOTE_USER: "tester"
      }
    })
    backend.stdin.on("error", () => {})
    backend.stdin.end(Buffer.concat(body))
    const chunks: Array<Buffer> = []
    backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    backend.on("close", () => {
      const whole = Buffer.concat(chunks)
      const end = whole.indexOf("\r\n\r\n")
      const headers = new Map(
        whole
          .subarray(0, end)
          .toString()
          .split("\r\n")
          .map((line) => [line.split(": ")[0]!.toLowerCase(), line.slice(line.indexOf(": ") + 2)] as const)
      )
      const code = Number(headers.get("status")?.split(" ")[0] ?? 200)
      headers.delete("status")
      response.writeHead(code, Object.fromEntries(headers)).end(whole.subarray(end + 4))
    })
  }
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    /** The URL of the repository. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs.git`,
    /** The requests that the server has received. */
    paths,
    /** The folders of the repository and of the work tree. */
    bare,
    work,
    /** Stops the server. */
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
