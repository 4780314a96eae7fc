/** Files that are uploaded to signed URLs, and imported by their keys. */
import { createHash } from "node:crypto"
import { GitBookAPI } from "@gitbook/api"
import {
  BackgroundWork,
  blobs,
  Content,
  chunkedBlobs,
  ImportLimits,
  type ImportRun,
  tables,
  Uploads,
  type UploadUrl,
  Where
} from "@lectern/core"
import { allRecords, runs } from "@lectern/harness"
import { Clock, Effect, Layer } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { callForBody } from "./caller.ts"
import { memory, ruleStores } from "./stores.ts"
import { startImportWorkspace, titleTree } from "./support/imports.ts"
import { archiveOf } from "./support/repositories.ts"
import type { TestServer } from "./support.ts"

const stagedUploads = tables.find(({ name }) => name === "stagedUploads")!
const importRuns = tables.find(({ name }) => name === "importRuns")!

const hour = 60 * 60 * 1000

type CoreServices =
  Parameters<TestServer["core"]["runtime"]["runPromise"]>[0] extends Effect.Effect<unknown, unknown, infer R>
    ? R
    : never

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const start = async (store: Pick<typeof memory, "make"> = memory, limits?: typeof ImportLimits.Service) => {
  const services = limits === undefined ? Layer.empty : Layer.succeed(ImportLimits, limits)
  const opened = await startImportWorkspace(await store.make(), undefined, undefined, services)
  const { server, call, organization, space } = opened
  const { runtime, clock } = server.core
  const run = <A, E>(effect: Effect.Effect<A, E, CoreServices>) =>
    runtime.runPromise(Effect.provideService(effect, Clock.Clock, clock))
  const path = `/orgs/${organization}/storage/upload`
  const create = (name: string, size: number, kind = "import_file", type = "") =>
    call<UploadUrl>("POST", path, { file: { name, type, size }, kind })
  const put = (
    url: string,
    body: string | Uint8Array | ReadableStream,
    headers: Record<string, string> = {}
  ) => {
    const { pathname, search } = new URL(url)
    return fetch(`${server.url}${pathname}${search}`, {
      method: "PUT",
      headers,
      body: body as BodyInit,
      ...(body instanceof ReadableStream ? { duplex: "half" as const } : {})
    })
  }
  const upload = async (name: string, bytes: Uint8Array, kind?: string) => {
    const { url, key } = await create(name, bytes.length, kind)
    expect((await put(url, bytes)).status).toBe(204)
    return key
  }
  const requestRun = (files: ReadonlyArray<string>, token = opened.token, within = organization) =>
    server.fetch(`/v1/org/${within}/imports`, {
      method: "POST",
      token,
      body: JSON.stringify({ source: { type: "file", files }, target: { space } })
    })
  const work = () => run(Effect.flatMap(BackgroundWork, ({ drain }) => drain))
  const importFiles = async (...files: ReadonlyArray<string>) => {
    const started = await call<ImportRun>("POST", `/org/${organization}/imports`, {
      source: { type: "file", files },
      target: { space }
    })
    await work()
    return await call<ImportRun>("GET", `/org/${organization}/imports/${started.id}`)
  }
  return {
    ...opened,
    create,
    put,
    upload,
    requestRun,
    importFiles,
    work,
    sweep: () => run(Effect.flatMap(Content, ({ sweep }) => sweep)),
    purge: () => run(Effect.flatMap(Uploads, ({ purge }) => purge)),
    /** Leaves all runs as a worker does that is killed during them. */
    beginRuns: () =>
      run(
        Effect.flatMap(allRecords, (records) =>
          records.update(importRuns, Where.all, { status: "in-progress" } as object)
        )
      ),
    countRows: () =>
      run(
        Effect.gen(function* () {
          const records = yield* allRecords
          return {
            blobs: yield* records.count(blobs, Where.all),
            files: yield* records.count(chunkedBlobs, Where.all),
            uploads: yield* records.count(stagedUploads, Where.all)
          }
        })
      )
  }
}

/** Streams parts, without a declared length. */
const streamOf = (parts: ReadonlyArray<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) if (part.length > 0) controller.enqueue(part)
      controller.close()
    }
  })

const messageOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { reason: string; message: string } }
  return [response.status, error.reason, error.message] as const
}

const repository = { "README.md": "# Start\n\nSee [setup](setup.md).\n", "setup.md": "# Setup\n\nRun it.\n" }

describe("an uploaded file", () => {
  for (const store of ruleStores) {
    it(`is imported by its key, on ${store.name}`, async () => {
      const { upload, importFiles, pages } = await start(store)
      const key = await upload("handbook.zip", archiveOf(repository))
      const run = await importFiles(key)
      expect(run).toMatchObject({
        status: "completed",
        source: { type: "file", files: [key] },
        importedResources: 2,
        skippedResources: 0
      })
      expect(titleTree(await pages())).toEqual(["Start", "Setup"])
      expect(run.pages.map(({ sourceURL }) => sourceURL)).toEqual(["README.md", "setup.md"])
      // A later file with the same name updates the pages.
      const changed = { ...repository, "setup.md": "# Set up\n\nRun it.\n" }
      const before = await pages()
      await importFiles(await upload("handbook.zip", archiveOf(changed)))
      const after = await pages()
      expect(after.map(({ id, title }) => [id, title])).toEqual([
        [before[0]!.id, "Start"],
        [before[1]!.id, "Set up"]
      ])
    })
  }

  it("is read together with other documents, with the links between them", async () => {
    const { upload, importFiles, page } = await start()
    const markdown = "# One\n\n[Two](two.html), [none](none.md), ![image](image.png)\n"
    const html = "<html><body><main><h1>Two</h1><p><a href='one%20%231.md'>One</a></p></main></body></html>"
    const run = await importFiles(
      await upload("one #1.md", encode(markdown)),
      await upload("two.html", encode(html))
    )
    expect(run).toMatchObject({
      status: "completed",
      importedResources: 2,
      totalResources: 3,
      skipped: [{ kind: "file", resource: "image.png" }]
    })
    expect(run.pages.map(({ sourceURL }) => sourceURL)).toEqual(["one #1.md", "two.html"])
    const [one, two] = run.pages.map(({ id }) => id)
    expect((await page("one-1")).markdown).toBe(
      `[Two](/pages/${two}), [none](none.md), ![image](image.png)\n`
    )
    expect((await page("two")).markdown).toBe(`[One](/pages/${one})\n`)
  })

  it("of any content has the hash of its bytes, also if it is sent again in other chunks", async () => {
    const { create, put, server } = await start()
    const rowOf = async (key: string) =>
      (
        await server.core.runtime.runPromise(
          Effect.flatMap(allRecords, (records) => records.find(stagedUploads, {}))
        )
      ).find(({ id }) => id === key)
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 5_000 }),
        fc.array(fc.nat(5_000), { maxLength: 5 }),
        async (bytes, cuts) => {
          const { url, key } = await create("file.md", bytes.length)
          const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
          const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
          expect((await put(url, streamOf(parts))).status).toBe(204)
          expect((await put(url, bytes)).status).toBe(204)
          const hash = createHash("sha256").update(bytes).digest("base64url")
          expect(await rowOf(key)).toMatchObject({ size: bytes.length, hash })
        }
      ),
      runs(20)
    )
  })

  it("survives garbage collection until it expires and no run needs it", async () => {
    const { create, put, call, organization, space, pages, server, sweep, purge, countRows, work } =
      await start()
    const text = encode("# Kept\n")
    const large = new Uint8Array(2 * 1024 * 1024 + 5).map((_, index) => (index * 7919) >> 8)
    const uploadBoth = async () => {
      const [first, second] = [await create("a.docx", large.length), await create("kept.md", text.length)]
      expect((await put(first.url, large)).status).toBe(204)
      expect((await put(second.url, text)).status).toBe(204)
      return second
    }
    const old = await uploadBoth()
    const { blobs: stored } = await countRows()
    // Blobs that were stored half a day ago are not renewed: they are older than the upload.
    server.core.advance(11 * hour)
    const { key } = await uploadBoth()
    server.core.advance(14 * hour)
    expect(await purge()).toBe(2)
    await sweep()
    expect(await countRows()).toEqual({ blobs: stored, files: 1, uploads: 2 })

    const run = await call<ImportRun>("POST", `/org/${organization}/imports`, {
      source: { type: "file", files: [key] },
      target: { space }
    })
    server.core.advance(48 * hour)
    expect(await purge()).toBe(2)
    await sweep()
    expect(await countRows()).toMatchObject({ files: 0, uploads: 0 })
    await work()
    expect(titleTree(await pages())).toEqual(["Kept"])
    expect(await call("GET", `/org/${organization}/imports/${run.id}`)).toMatchObject({ status: "completed" })
    expect((await put(old.url, text)).status).toBe(410)
  })

  it("survives garbage collection while the run is in progress whose worker was killed", async () => {
    const { upload, call, organization, space, pages, server, sweep, purge, countRows, work, beginRuns } =
      await start()
    const key = await upload("kept.md", encode("# Kept\n"))
    const run = await call<ImportRun>("POST", `/org/${organization}/imports`, {
      source: { type: "file", files: [key] },
      target: { space }
    })
    await beginRuns()
    server.core.advance(48 * hour)
    expect(await purge()).toBe(1)
    await sweep()
    expect(await countRows()).toMatchObject({ uploads: 0 })
    await work()
    expect(await call("GET", `/org/${organization}/imports/${run.id}`)).toMatchObject({ status: "completed" })
    expect(titleTree(await pages())).toEqual(["Kept"])
  })

  it("is imported by the unmodified official client", async () => {
    const { server, token, organization, space, work, pages } = await start()
    const client = new GitBookAPI({ endpoint: server.url, authToken: token })
    const bytes = archiveOf(repository)
    const { data: target } = await client.orgs.generateStorageUploadUrl(organization, {
      file: { name: "handbook.zip", type: "application/zip", size: bytes.length },
      kind: "import_file" as never
    })
    expect(target.object).toBe("storage-signed-url")
    const { pathname, search } = new URL(target.url)
    const sent = await fetch(`${server.url}${pathname}${search}`, {
      method: "PUT",
      body: bytes as BodyInit,
      headers: { "content-type": "application/zip" }
    })
    expect(sent.ok).toBe(true)
    const { data: started } = await client.org.startImportRun(organization, {
      source: { type: "file", files: [target.key] },
      target: { space }
    })
    expect(started.status).toBe("pending")
    await work()
    expect(titleTree(await pages())).toEqual(["Start", "Setup"])
  })
})

describe("the URL of an upload", () => {
  it("rejects other signatures, keys, times and methods", async () => {
    const { create, put, server } = await start()
    const { url, key } = await create("a.md", 3)
    const other = await create("a.md", 3)
    const changed = (change: (url: URL) => void) => {
      const copy = new URL(url)
      change(copy)
      return copy.href
    }
    const forged = [
      changed(({ searchParams }) => searchParams.set("signature", "A".repeat(43))),
      changed(({ searchParams }) => searchParams.delete("signature")),
      changed(({ searchParams }) => searchParams.set("expires", "9999999999")),
      changed(({ searchParams }) => searchParams.set("expires", "later")),
      url.replace(key, other.key),
      url.replace(key, `${key}/more`),
      url.replace(key, "")
    ]
    for (const address of forged) expect((await put(address, "abc")).status, address).toBe(404)
    const { pathname, search } = new URL(url)
    const read = await fetch(`${server.url}${pathname}${search}`)
    expect([read.status, read.headers.get("allow")]).toEqual([405, "PUT"])
    server.core.advance(hour + 1_000)
    expect(await messageOf(await put(url, "abc"))).toEqual([
      410,
      "AddressExpired",
      "The URL of this upload has expired: it was valid for an hour. Request a new one."
    ])
  })

  it("accepts only the declared size and the declared digest", async () => {
    const { create, put, requestRun } = await start()
    const { url, key } = await create("a.md", 3)
    expect((await put(url, "ab")).status).toBe(400)
    expect((await put(url, "abcd")).status).toBe(400)
    expect((await put(url, streamOf([encode("ab")]))).status).toBe(400)
    expect((await put(url, streamOf([encode("abcd")]))).status).toBe(413)
    const digestOf = (text: string) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`
    expect((await put(url, "abc", { "content-digest": digestOf("abd") })).status).toBe(400)
    expect(await messageOf(await requestRun([key]))).toEqual([
      400,
      "InvalidFields",
      "source.files[0] must be the key of a file that is uploaded completely."
    ])
    expect((await put(url, "abc", { "content-digest": digestOf("abc") })).status).toBe(204)
    expect((await put(url, "abc", { "repr-digest": `md5=:AAAA:, ${digestOf("abc")}` })).status).toBe(204)
    expect((await requestRun([key])).status).toBe(201)
  })

  it("is issued for files of the limit of imports, and 100 times per user", async () => {
    const limits = { archivePages: 10, archiveBytes: 1_000, websitePages: 10 }
    const { server, token, organization, create } = await start(memory, limits as never)
    const request = (size: number) =>
      server.fetch(`/v1/orgs/${organization}/storage/upload`, {
        method: "POST",
        token,
        body: JSON.stringify({ file: { name: "a.zip", type: "", size }, kind: "import_file" })
      })
    expect(await messageOf(await request(1_001))).toEqual([
      400,
      "InvalidFields",
      "file.size must be at most 1000 for the kind import_file."
    ])
    for (let count = 0; count < 100; count++) await create("a.zip", 1_000)
    expect((await messageOf(await request(1_000))).slice(0, 2)).toEqual([409, "LimitReached"])
    server.core.advance(24 * hour)
    expect((await request(1_000)).status).toBe(201)
  })
})

describe("an import run", () => {
  it("rejects keys of other kinds, users and organizations, and files that it cannot read", async () => {
    const { call, organization, server, space, upload, requestRun, create, put } = await start()
    const bob = await server.core.createUser("bob@example.com")
    const bobToken = await server.tokenOf(bob)
    await call("POST", `/orgs/${organization}/invites`, { emails: ["bob@example.com"], role: "admin" })
    const elsewhere = await server.core.createOrganization("Elsewhere", bob)
    const key = await upload("a.md", encode("# A\n"))
    const unknown =
      "source.files[0] must be the key of a file that you have uploaded here in the last 24 hours."
    expect(await messageOf(await requestRun([key], bobToken))).toEqual([400, "InvalidFields", unknown])
    expect(await messageOf(await requestRun(["nothing"]))).toEqual([400, "InvalidFields", unknown])
    const theirs = await callForBody<UploadUrl>(
      server,
      bobToken,
      "POST",
      `/orgs/${elsewhere}/storage/upload`,
      { file: { name: "a.md", type: "", size: 4 }, kind: "import_file" }
    )
    expect((await put(theirs.url, "# A\n")).status).toBe(204)
    expect(await messageOf(await requestRun([theirs.key], bobToken))).toEqual([400, "InvalidFields", unknown])
    expect((await requestRun([theirs.key], bobToken, elsewhere)).status).toBe(404)

    const font = await upload("a.woff2", encode("font"), "customization_font")
    expect((await messageOf(await requestRun([font])))[2]).toBe(
      "source.files[0] must be the key of a file of the kind import_file."
    )
    const image = await upload("a.png", encode("image"))
    expect((await messageOf(await requestRun([image])))[2]).toBe(
      "source.files[0] must be a file of the format Markdown, HTML, docx, zip, tar or tar.gz."
    )
    const archive = await upload("a.zip", archiveOf(repository))
    expect((await messageOf(await requestRun([key, archive])))[2]).toBe(
      "source.files[1] must be the only file, as it is an archive."
    )
    expect((await messageOf(await requestRun([key, await upload("a.md", encode("# B\n"))])))[2]).toBe(
      "source.files[1] must have another name than others."
    )
    const large = await create("large.md", 6 * 1024 * 1024)
    expect((await put(large.url, new Uint8Array(6 * 1024 * 1024))).status).toBe(204)
    expect((await messageOf(await requestRun([large.key])))[2]).toBe(
      "source.files[0] must be a file of at most 5242880 bytes."
    )
    expect((await call<{ revision: string }>("GET", `/spaces/${space}`)).revision).not.toBe("")
  })

  it("reports the file that cannot be read", async () => {
    const { upload, importFiles } = await start()
    expect(await importFiles(await upload("broken.zip", encode("PK no archive")))).toMatchObject({
      status: "failed",
      error: "broken.zip points to an archive that is truncated."
    })
  })
})
