/**
 * Starts a prepared checkout of the official renderer with a Lectern server: `node harness/renderer/start.ts <checkout> <url of Lectern>`. A proxy
 * between the two records every request of the renderer, one JSON object per line, in `calls.jsonl` of the working directory.
 */
import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join, resolve } from "node:path"

const [checkout, lectern] = process.argv.slice(2)
if (checkout === undefined || lectern === undefined) {
  throw new Error("State the path of the checkout, and the URL at which Lectern listens.")
}
const target = new URL(lectern)

const proxy = createServer((incoming, outgoing) => {
  const chunks: Array<Buffer> = []
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
  incoming.on("end", () => {
    const body = Buffer.concat(chunks)
    const { method, url = "", headers } = incoming
    const forwarded = request(
      {
        host: target.hostname,
        port: target.port,
        method,
        path: url,
        headers: { ...headers, host: target.host }
      },
      (response) => {
        const line = {
          method,
          url,
          status: response.statusCode,
          token: headers.authorization === undefined ? "none" : "given",
          ...(body.length === 0 ? {} : { body: body.toString() })
        }
        appendFileSync("calls.jsonl", `${JSON.stringify(line)}\n`)
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      }
    )
    forwarded.on("error", () => outgoing.writeHead(502).end())
    forwarded.end(body)
  })
})
// The renderer reuses connections after it has compiled a route, which blocks it for minutes.
proxy.keepAliveTimeout = 0
await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening))
const { port } = proxy.address() as AddressInfo

// In development mode, the renderer always has this URL.
const renderer = spawn("npx", ["next", "dev", "--port", "3000", ...process.argv.slice(4)], {
  cwd: join(resolve(checkout), "packages/gitbook"),
  stdio: "inherit",
  env: {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: "1",
    GITBOOK_URL: "http://localhost:3000",
    GITBOOK_API_URL: `http://127.0.0.1:${port}`,
    GITBOOK_DISABLE_TRACKING: "true"
  }
})
renderer.on("exit", (code) => process.exit(code ?? 1))
