/** Which bytes of uploads remain: only the bytes of complete files. */
import { createHash } from "node:crypto"
import {
  blobs,
  type Content,
  chunkedBlobs,
  type EditedContent,
  OrganizationQuotas,
  UploadLimits,
  Uploads,
  type UploadUrl
} from "@lectern/core"
import { allRecords, runs } from "@lectern/harness"
import { Clock, Effect, Layer } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { callForBody } from "./caller.ts"
import { memory, ruleStores } from "./stores.ts"
import { until } from "./support/until.ts"
import { startServerOn } from "./support.ts"

const megabyte = 1024 * 1024
const hour = 60 * 60 * 1000

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64url")

/** Bytes that differ in each chunk. */
const largeOf = (first: number, second: number): Uint8Array => {
  const bytes = new Uint8Array(megabyte + 10).fill(second)
  bytes.fill(first, 0, megabyte)
  return bytes
}

/** Files of one chunk and of two, some of which share chunks. */
const pool: ReadonlyArray<Uint8Array> = [
  Buffer.from("a".repeat(40)),
  Buffer.from("b".repeat(40)),
  largeOf(1, 2),
  largeOf(1, 3),
  largeOf(4, 2)
]

const chunksOf = (bytes: Uint8Array): ReadonlyArray<string> =>
  bytes.length <= megabyte
    ? [hashOf(bytes)]
    : [hashOf(bytes.subarray(0, megabyte)), hashOf(bytes.subarray(megabyte))]

const start = async (
  store: Pick<typeof memory, "make"> = memory,
  services: Layer.Layer<never> = Layer.empty
) => {
  const server = await startServerOn({ make: async () => Layer.merge(await store.make(), services) })
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const space = await callForBody<{ id: string }>(server, token, "POST", `/orgs/${organization}/spaces`, {})
  const request = (size: number) =>
    server.fetch(`/v1/orgs/${organization}/storage/upload`, {
      method: "POST",
      token,
      body: JSON.stringify({ file: { name: "a.md", type: "", size }, kind: "import_file" })
    })
  const create = async (size: number) => (await (await request(size)).json()) as UploadUrl
  const put = ({ url }: UploadUrl, bytes: Uint8Array, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(url)
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(bytes)
        controller.close()
      }
    })
    return fetch(`${server.url}${pathname}${search}`, {
      method: "PUT",
      headers,
      body,
      duplex: "half"
    } as RequestInit)
  }
  const content = `/v1/spaces/${space.id}/content`
  /** Sends a form: the message before the files or after them. */
  const edit = (
    files: ReadonlyArray<Uint8Array>,
    message = "",
    order: "first" | "last" = "last",
    key = ""
  ) => {
    const form = new FormData()
    if (order === "first") form.append("message", message)
    for (const bytes of files) form.append("files", new Blob([bytes as BlobPart]), "a.bin")
    if (order === "last") form.append("message", message)
    return fetch(`${server.url}${content}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, ...(key === "" ? {} : { "idempotency-key": key }) },
      body: form
    })
  }
  const run = <A, E>(effect: Effect.Effect<A, E, Content | Uploads>) =>
    server.core.runtime.runPromise(Effect.provideService(effect, Clock.Clock, server.core.clock))
  /** Returns the hashes of all blobs and files that are stored. */
  const stored = () =>
    server.core.runtime.runPromise(
      Effect.gen(function* () {
        const records = yield* allRecords
        const rows = yield* records.find(blobs, { select: ["hash"] })
        const files = yield* records.find(chunkedBlobs, { select: ["hash"] })
        return new Set<string>([...rows, ...files].map(({ hash }) => hash))
      })
    )
  const purge = () => run(Effect.flatMap(Uploads, (uploads) => uploads.purge))
  return { server, token, organization, space, content, request, create, put, edit, stored, purge, run }
}

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("put" as const), url: fc.nat(2), file: fc.nat(4) }) },
  fc.record({ kind: fc.constantFrom("short" as const, "digest" as const), url: fc.nat(2), file: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom("edit" as const, "rejected" as const), url: fc.nat(2), file: fc.nat(4) }),
  fc.record({ kind: fc.constant("replay" as const), url: fc.nat(2), file: fc.nat(4) }),
  fc.record({ kind: fc.constant("expire" as const), url: fc.nat(2), file: fc.nat(4) })
)

describe.each(ruleStores)("the bytes of uploads on $name", (store) => {
  it("are the bytes of the files that exist, after any sequence of complete, rejected, replaced and expired uploads", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
        async (steps) => {
          const { server, create, put, edit, stored, purge } = await start(store)
          /** The URLs, by their number and the size of the file, with the file that was sent. */
          const urls = new Map<string, { readonly target: UploadUrl; file: number | undefined }>()
          const added = new Set<string>()
          let keys = 0
          const urlOf = async (url: number, size: number) => {
            const name = `${url} ${size}`
            const known = urls.get(name) ?? { target: await create(size), file: undefined }
            urls.set(name, known)
            return known
          }
          for (const step of steps) {
            // Uploads of one step run at the same time, each to another URL.
            const used = new Set<unknown>()
            const sends: Array<() => Promise<void>> = []
            for (const { kind, url, file } of step) {
              const bytes = pool[file]!
              if (kind === "expire") continue
              if (kind === "edit" || kind === "rejected" || kind === "replay") {
                sends.push(async () => {
                  const key = kind === "replay" ? `key-${keys++}` : ""
                  const response = await edit(
                    [bytes],
                    kind === "rejected" ? "a".repeat(1_001) : "",
                    "last",
                    key
                  )
                  expect(response.status).toBe(kind === "rejected" ? 400 : 200)
                  if (kind !== "rejected") for (const hash of chunksOf(bytes)) added.add(hash)
                  if (kind === "replay") expect((await edit([bytes], "", "first", key)).status).toBe(409)
                })
                continue
              }
              const slot = await urlOf(url, bytes.length)
              if (used.has(slot)) continue
              used.add(slot)
              sends.push(async () => {
                const digest = createHash("sha256").update("other").digest("base64")
                const response =
                  kind === "put"
                    ? await put(slot.target, bytes)
                    : kind === "short"
                      ? await put(slot.target, bytes.subarray(0, bytes.length - 1))
                      : await put(slot.target, bytes, { "content-digest": `sha-256=:${digest}:` })
                expect(response.status).toBe(kind === "put" ? 204 : 400)
                if (kind === "put") slot.file = file
              })
            }
            await Promise.all(sends.map((send) => send()))
            if (step.some(({ kind }) => kind === "expire")) {
              server.core.advance(25 * hour)
              await purge()
              urls.clear()
            }
            const expected = new Set(added)
            for (const { file } of urls.values()) {
              if (file !== undefined) for (const hash of chunksOf(pool[file]!)) expected.add(hash)
            }
            const all = await stored()
            const chunks = [...new Set(pool.flatMap(chunksOf))]
            // The last bytes of a truncated file are a chunk of their own.
            const truncated = pool.flatMap((bytes) => chunksOf(bytes.subarray(0, bytes.length - 1)))
            expect(chunks.filter((hash) => all.has(hash)).sort()).toEqual([...expected].sort())
            expect(truncated.filter((hash) => all.has(hash) && !expected.has(hash))).toEqual([])
          }
        }
      ),
      runs(store === memory ? 20 : 4)
    )
  })

  it("are deleted when the client disconnects, and leave the complete file of the same URL", async () => {
    const { server, create, put, stored } = await start(store)
    const bytes = largeOf(1, 2)
    const target = await create(bytes.length)
    expect((await put(target, bytes)).status).toBe(204)
    const before = await stored()
    const { pathname, search } = new URL(target.url)
    const abort = new AbortController()
    const sent = fetch(`${server.url}${pathname}${search}`, {
      method: "PUT",
      signal: abort.signal,
      body: new ReadableStream({ start: (controller) => controller.enqueue(largeOf(9, 2)) }),
      duplex: "half"
    } as RequestInit).catch(() => undefined)
    const partial = hashOf(largeOf(9, 2).subarray(0, megabyte))
    await until("a chunk is stored", async () => (await stored()).has(partial))
    abort.abort()
    await sent
    await until("the chunk is deleted", async () => !(await stored()).has(partial))
    expect(await stored()).toEqual(before)
  })
})

describe("an edit with files", () => {
  it("validates the message and the headers before it reads the files that follow", async () => {
    const { server, token, content, stored } = await start()
    const before = await stored()
    const boundary = "--------boundary"
    const send = async (message: string, headers: Record<string, string>) => {
      let pulled = 0
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="message"\r\n\r\n${message}\r\n--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\n`
      const response = await fetch(`${server.url}${content}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": `multipart/form-data; boundary=${boundary}`,
          ...headers
        },
        body: new ReadableStream({
          pull: (controller) => {
            pulled++
            if (pulled === 1) controller.enqueue(Buffer.from(head))
            else if (pulled < 200) controller.enqueue(new Uint8Array(megabyte / 4).fill(pulled))
            else controller.close()
          }
        }),
        duplex: "half"
      } as RequestInit)
      return [response.status, pulled < 150]
    }
    expect(await send("a".repeat(1_001), {})).toEqual([400, true])
    expect(await send("fine", { "idempotency-key": "not valid" })).toEqual([400, true])
    expect(await stored()).toEqual(before)
  })

  it("deletes the bytes of files that it does not add", async () => {
    const { edit, stored } = await start(
      memory,
      Layer.succeed(OrganizationQuotas, { default: { bytes: 100 }, organizations: new Map() })
    )
    const before = await stored()
    expect((await edit([largeOf(1, 2), largeOf(3, 4)])).status).toBe(403)
    expect(await stored()).toEqual(before)
    const added = await edit([pool[0]!])
    expect(((await added.json()) as EditedContent).insertedFiles).toHaveLength(1)
  })
})

describe("the bytes of signed URLs", () => {
  const reasonOf = async (response: Response) =>
    response.ok ? "" : ((await response.json()) as { error: { reason: string } }).error.reason

  it("are bounded by user and by organization", async () => {
    const { request } = await start(
      memory,
      Layer.succeed(UploadLimits, { userBytes: 100, organizationBytes: 1_000 })
    )
    expect(await reasonOf(await request(60))).toBe("")
    expect(await reasonOf(await request(41))).toBe("LimitReached")
    expect(await reasonOf(await request(40))).toBe("")
    const shared = await start(
      memory,
      Layer.succeed(UploadLimits, { userBytes: 1_000, organizationBytes: 100 })
    )
    expect(await reasonOf(await shared.request(101))).toBe("LimitReached")
    expect(await reasonOf(await shared.request(100))).toBe("")
  })

  it("count towards the quota of the organization until they expire", async () => {
    const { server, create, put, request, edit, purge } = await start(
      memory,
      Layer.succeed(OrganizationQuotas, { default: { bytes: 100 }, organizations: new Map() })
    )
    expect(await reasonOf(await request(101))).toBe("QuotaExceeded")
    const [one, other] = [await create(40), await create(40)]
    expect(await reasonOf(await request(40))).toBe("QuotaExceeded")
    for (const target of [one, one, other]) expect((await put(target, pool[0]!)).status).toBe(204)
    expect(await reasonOf(await edit([pool[1]!]))).toBe("QuotaExceeded")
    server.core.advance(25 * hour)
    await purge()
    expect(await reasonOf(await edit([pool[1]!]))).toBe("")
  })
})
