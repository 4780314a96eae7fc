/** Streamed bodies of requests and responses, on every way of serving the API. */

import { connect } from "node:net"
import { createWorkspace, type EmbeddedWorkspace } from "@lectern/core"
import { runs } from "@lectern/harness"
import type { ApiResponse, HttpMiddleware, HttpOptions } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Deferred, Effect, Stream } from "effect"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { hosts, mountPath, socketHosts } from "./support/hosts.ts"
import { until } from "./support/until.ts"

const workspace: EmbeddedWorkspace = createWorkspace({ storage: MemoryStorage.layer() })
afterAll(() => workspace.dispose())

/** Responds to one path, and passes all other requests on. */
const route =
  (
    path: string,
    respond: (...request: Parameters<ReturnType<HttpMiddleware>>) => Effect.Effect<ApiResponse>
  ): HttpMiddleware =>
  (next) =>
  (request) =>
    request.url === path ? respond(request) : next(request)

const serving = (...middleware: ReadonlyArray<HttpMiddleware>): HttpOptions => ({ middleware })

const streamOf = (
  stream: Stream.Stream<Uint8Array, unknown>,
  length?: number,
  headers: Record<string, string> = {}
): ApiResponse => ({
  status: 200,
  headers: { "content-type": "application/octet-stream", ...headers },
  body: { stream, length }
})

const megabyte = new Uint8Array(1_000_000).fill(7)

for (const { name, start } of hosts) {
  describe(name, () => {
    it("streams responses of known and unknown length", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 }),
          fc.boolean(),
          async (chunks, isKnown) => {
            const whole = Buffer.concat(chunks)
            const send = await start(
              workspace,
              serving(
                route("/stream", () =>
                  Effect.succeed(streamOf(Stream.fromArray(chunks), isKnown ? whole.length : undefined))
                )
              )
            )
            const response = await send("/stream")
            expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true)
            expect(response.headers.get("content-length")).toBe(isKnown ? String(whole.length) : null)
            const head = await send("/stream", { method: "HEAD" })
            expect(await head.text()).toBe("")
            expect(head.headers.get("content-length")).toBe(isKnown ? String(whole.length) : null)
          }
        ),
        runs(10)
      )
    })

    it("streams request bodies as they arrive, and rejects one over the limit", async () => {
      const received: Array<number> = []
      const send = await start(
        workspace,
        serving(
          route("/upload", (request) =>
            Stream.runForEach(request.streamBody(3_000_000), (chunk) =>
              Effect.sync(() => void received.push(chunk.length))
            ).pipe(
              Effect.as({ status: 200, headers: {}, body: undefined }),
              Effect.catchTag("BodyTooLarge", ({ limit }) =>
                Effect.succeed({ status: 413, headers: {}, body: String(limit) })
              ),
              Effect.catchTag("InvalidInput", () =>
                Effect.succeed({ status: 400, headers: {}, body: undefined })
              )
            )
          )
        )
      )
      const upload = (count: number) => {
        let sent = 0
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            if (sent++ < count) controller.enqueue(megabyte)
            else controller.close()
          }
        })
        return send("/upload", { method: "POST", body, duplex: "half" } as RequestInit)
      }
      expect((await upload(3)).status).toBe(200)
      expect(received.reduce((sum, length) => sum + length, 0)).toBe(3_000_000)
      expect(received.length).toBeGreaterThan(1)
      const tooLarge = await upload(4)
      expect([tooLarge.status, await tooLarge.text()]).toEqual([413, "3000000"])
      // The connection or the next one accepts requests.
      expect((await upload(1)).status).toBe(200)
    })

    it("breaks off a response whose stream fails, or has another length than declared", async () => {
      const bytes = new Uint8Array(10)
      const bodies: Record<string, ApiResponse> = {
        "/fails": streamOf(Stream.concat(Stream.make(bytes), Stream.fail(new Error("the disk is gone")))),
        "/short": streamOf(Stream.make(bytes), 11),
        "/long": streamOf(Stream.make(bytes, bytes), 15)
      }
      const send = await start(
        workspace,
        serving(...Object.entries(bodies).map(([path, body]) => route(path, () => Effect.succeed(body))))
      )
      for (const path of Object.keys(bodies)) {
        const length = send(path).then((response) => response.arrayBuffer())
        await expect(length, path).rejects.toThrow()
      }
    })

    it("stops a stream when the client disconnects", async () => {
      const stopped = Deferred.makeUnsafe<void>()
      const endless = Stream.ensuring(
        Stream.fromEffectRepeat(Effect.succeed(megabyte)),
        Deferred.succeed(stopped, undefined)
      )
      const send = await start(workspace, serving(route("/endless", () => Effect.succeed(streamOf(endless)))))
      const controller = new AbortController()
      const response = await send("/endless", { signal: controller.signal })
      await response.body!.getReader().read()
      controller.abort()
      await workspace.runtime.runPromise(Deferred.await(stopped))
    })
  })
}

for (const { name, start, isMounted } of socketHosts) {
  it(`produces a stream only as fast as the client reads it, on ${name}`, async () => {
    let produced = 0
    const endless = Stream.map(Stream.fromEffectRepeat(Effect.succeed(megabyte)), (bytes) => {
      produced++
      return bytes
    })
    const url = new URL(
      await start(workspace, serving(route("/endless", () => Effect.succeed(streamOf(endless)))))
    )
    const socket = connect(Number(url.port), url.hostname)
    socket.pause()
    socket.write(`GET ${isMounted ? mountPath : ""}/endless HTTP/1.1\r\nhost: host\r\n\r\n`)
    // The kernel and Node buffer a few megabytes. After that, nothing is produced.
    let before = -1
    await until("production stops", async () => {
      if (produced > 0 && produced === before) return true
      before = produced
      await new Promise((resolve) => setTimeout(resolve, 200))
      return false
    })
    expect(produced).toBeLessThan(200)
    socket.destroy()
  })
}
