/** A server that is killed while it receives a file: the file is not visible, and its chunks are deleted later. */
import { randomBytes } from "node:crypto"
import { connect } from "node:net"
import { join } from "node:path"
import { blobs, Content, chunkedBlobs } from "@lectern/core"
import { createTestDatabase } from "@lectern/harness/postgres"
import { Clock, Effect } from "effect"
import { expect, inject, it } from "vitest"
import { adminToken, call, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { examineDatabase, rowsAt, storageAt } from "./support/doctorFindings.ts"
import { until } from "./support/until.ts"
import { startServer } from "./support.ts"

const databases = [
  { name: "SQLite", make: async () => `sqlite:${join(temporaryFolder(), "lectern.db")}` },
  { name: "PostgreSQL", make: () => createTestDatabase(inject("postgres")) }
]

const megabyte = 1024 * 1024
const boundary = "--------boundary"
const hour = 60 * 60 * 1000

for (const { name, make } of databases) {
  it(`leaves no file and no finding, and its chunks are deleted after a day, on ${name}`, {
    timeout: 120_000
  }, async () => {
    const database = await make()
    const server = await serve(database)
    const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
    const { id: space } = await call<{ id: string }>(server, `/v1/orgs/${items[0]!.id}/spaces`, {
      method: "POST",
      body: "{}"
    })
    const path = `/v1/spaces/${space}/content`
    const [visible, before] = [await call(server, `${path}/files`), (await rowsAt(database, blobs)).length]

    // The body declares 64 MB, of which 5 arrive before the server is killed.
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    socket.on("error", () => {})
    const head = [
      `POST ${path} HTTP/1.1`,
      "host: x",
      `authorization: Bearer ${adminToken}`,
      `content-type: multipart/form-data; boundary=${boundary}`,
      `content-length: ${64 * megabyte}`,
      "",
      `--${boundary}`,
      'content-disposition: form-data; name="files"; filename="a.bin"',
      "",
      ""
    ]
    socket.write(head.join("\r\n"))
    socket.write(randomBytes(5 * megabyte))
    await until("four chunks are stored", async () => (await rowsAt(database, blobs)).length >= before + 4)
    await server.end("SIGKILL")
    socket.destroy()

    expect(await rowsAt(database, chunkedBlobs)).toEqual([])
    expect(await examineDatabase(database)).toEqual([])
    const restarted = await serve(database)
    expect(await call(restarted, `${path}/files`)).toEqual(visible)
    await restarted.end("SIGTERM")

    const workspace = await startServer(storageAt(database))
    try {
      const sweep = Effect.flatMap(Content, (content) => content.sweep)
      await workspace.core.advance(Date.now() + 25 * hour)
      await workspace.core.runtime.runPromise(Effect.provideService(sweep, Clock.Clock, workspace.core.clock))
    } finally {
      await workspace.close()
    }
    expect((await rowsAt(database, blobs)).length).toBeLessThanOrEqual(before)
  })
}
