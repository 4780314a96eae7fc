/**
 * Measures the memory of the server while a large file is uploaded and downloaded, on SQLite and PostgreSQL: the resident
 * memory before, and its maximum during each phase. Run with `npm run bench:files -- --megabytes 300`.
 */
import type { ChildProcess } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { request as sendRequest } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import {
  Administration,
  ApiTokens,
  CurrentUser,
  type RecordsAdapter,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { lectern, stop, stopAll, until } from "./processes.ts"

const { values: options } = parseArgs({ options: { megabytes: { type: "string" } } })

const megabyte = 1024 * 1024
const size = Number(options.megabytes ?? 300) * megabyte
const port = 46_390

/** The maximum growth of the resident memory, in MiB: the buffers of a few chunks, and garbage. */
const maximumGrowth = 150

/** Creates an organization with an administrator and a space. */
const setUp = async (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(storage)))
  const program = Effect.gen(function* () {
    const administration = yield* Administration
    const user = UserId.make(yield* administration.createUser({ input: { email: "bench@example.com" } }))
    const organization = yield* administration.createOrganization({
      administrator: user,
      input: { title: "Bench" }
    })
    const spaces = yield* Spaces
    const space = yield* CurrentUser.provide(user)(spaces.create({ organization, input: {} }))
    const { secret } = yield* (yield* ApiTokens).create({ input: { user, label: "Bench" } })
    return { token: Redacted.value(secret), space: space.id }
  })
  try {
    return await runtime.runPromise(program)
  } finally {
    await runtime.dispose()
  }
}

/** Returns the resident memory of a process, in MiB. */
const residentMemory = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024

/** Runs a phase; returns its result, and the maximum of the resident memory before it ended. */
const measurePhase = async <A>(server: ChildProcess, phase: () => Promise<A>) => {
  let maximum = residentMemory(server)
  const timer = setInterval(() => {
    maximum = Math.max(maximum, residentMemory(server))
  }, 20)
  const started = performance.now()
  const result = await phase()
  clearInterval(timer)
  return { result, maximum, seconds: (performance.now() - started) / 1000 }
}

/** Returns a megabyte of the file. Each has other bytes. */
const megabyteOf = (index: number): Buffer => {
  const bytes = Buffer.alloc(megabyte, index % 251)
  bytes.writeUInt32LE(index)
  return bytes
}

/** Uploads the file as fast as the server receives it; returns its download URL and its hash. */
const uploadFile = (path: string, token: string) =>
  new Promise<{ readonly url: string; readonly hash: string }>((resolve, reject) => {
    const boundary = "bench-boundary"
    const outgoing = sendRequest(
      `http://127.0.0.1:${port}${path}`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": `multipart/form-data; boundary=${boundary}`
        }
      },
      async (incoming) => {
        const body = Buffer.concat(await incoming.toArray()).toString()
        if (incoming.statusCode !== 200) return reject(new Error(body))
        const { insertedFiles } = JSON.parse(body) as {
          insertedFiles: ReadonlyArray<{ downloadURL: string }>
        }
        const { pathname, search } = new URL(insertedFiles[0]!.downloadURL)
        resolve({ url: `http://127.0.0.1:${port}${pathname}${search}`, hash: digest.digest("hex") })
      }
    )
    outgoing.on("error", reject)
    const digest = createHash("sha256")
    const send = async () => {
      outgoing.write(
        `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="large.bin"\r\n\r\n`
      )
      for (let index = 0; index < size / megabyte; index++) {
        const bytes = megabyteOf(index)
        digest.update(bytes)
        if (!outgoing.write(bytes)) await new Promise((drained) => outgoing.once("drain", drained))
      }
      outgoing.end(`\r\n--${boundary}--\r\n`)
    }
    send().catch(reject)
  })

/** Downloads a URL without retaining it; returns its hash. */
const downloadFile = async (url: string): Promise<string> => {
  const digest = createHash("sha256")
  for await (const chunk of (await fetch(url)).body!) digest.update(chunk)
  return digest.digest("hex")
}

const readRanges = async (url: string): Promise<void> => {
  for (let round = 0; round < 200; round++) {
    const start = Math.floor((size * round) / 200)
    await (await fetch(url, { headers: { range: `bytes=${start}-${start + 65_535}` } })).arrayBuffer()
  }
}

const measureStore = async (
  name: string,
  databaseUrl: string,
  storage: Layer.Layer<RecordsAdapter, unknown>
): Promise<boolean> => {
  const { token, space } = await setUp(storage)
  const server = lectern(databaseUrl, port)
  await until(`http://127.0.0.1:${port}/healthz`, {})
  const path = `/v1/spaces/${space}/content`
  await until(`http://127.0.0.1:${port}${path}`, { authorization: `Bearer ${token}` })
  const before = residentMemory(server)
  const upload = await measurePhase(server, () => uploadFile(path, token))
  const download = await measurePhase(server, () => downloadFile(upload.result.url))
  const ranges = await measurePhase(server, () => readRanges(upload.result.url))
  if (download.result !== upload.result.hash) throw new Error("The download differs from the upload.")
  await stop(server)
  const phases = { upload, download, "200 ranges": ranges }
  console.log(`${name}: ${size / megabyte} MiB, resident memory before: ${before.toFixed(0)} MiB`)
  for (const [phase, { maximum, seconds }] of Object.entries(phases)) {
    console.log(`  ${phase.padEnd(10)} maximum ${maximum.toFixed(0)} MiB, ${seconds.toFixed(1)} s`)
  }
  return Object.values(phases).every(({ maximum }) => maximum - before <= maximumGrowth)
}

const folder = mkdtempSync(join(tmpdir(), "lectern-files-"))
const postgres = await startPostgres([])
try {
  const filename = join(folder, "files.db")
  const isFlat = await measureStore("SQLite", `sqlite:${filename}`, SqliteStorage.layer({ filename }))
  const database = await createTestDatabase(postgres.url)
  const url = Redacted.make(database)
  if (!(await measureStore("PostgreSQL", database, PgStorage.layer({ url }))) || !isFlat) {
    throw new Error(`The memory grew by more than ${maximumGrowth} MiB.`)
  }
} finally {
  stopAll()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
