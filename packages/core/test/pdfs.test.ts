/** The rendering of PDFs: when the renderer of the host is called, and when its result is cached. */
import {
  Administration,
  BackgroundWork,
  type Book,
  Content,
  CurrentUser,
  type MakePdf,
  PdfFailed,
  PdfMaker,
  Pdfs,
  Records,
  type RecordsAdapter,
  type RenderedPdf,
  Spaces,
  Workspace
} from "@lectern/core"
import { isFastRun, runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, ManagedRuntime, Scope, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

/** Opens a store that several workspaces share, as if each was in a process of its own. */
const openStorage = async (): Promise<Layer.Layer<RecordsAdapter>> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const services = await Effect.runPromise(Scope.provide(Layer.build(MemoryStorage.layer()), scope))
  return Layer.succeedContext(services)
}

let users = 0

/** Creates a space, and returns functions that edit it and request its PDF with a renderer. */
const start = async (
  storage: Layer.Layer<RecordsAdapter, unknown> = MemoryStorage.layer(),
  workerMaker?: MakePdf
) => {
  const runtime = ManagedRuntime.make(
    Workspace.layer.pipe(Layer.provide(storage), Layer.provideMerge(Layer.succeed(PdfMaker, workerMaker)))
  )
  onTestFinished(() => runtime.dispose())
  const { user, space } = await runtime.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = yield* administration.createUser({ input: { email: `user${++users}@example.com` } })
      const organization = yield* administration.createOrganization({
        administrator: user,
        input: { title: "Acme" }
      })
      const spaces = yield* Spaces
      const { id } = yield* CurrentUser.provide(user)(
        spaces.create({ organization, input: { title: "Handbook" } })
      )
      return { user, space: id }
    })
  )
  const edit = (markdown: string) =>
    runtime.runPromise(
      Effect.flatMap(Content, (content) =>
        CurrentUser.provide(user)(
          content.edit({
            content: { space },
            input: { changes: [{ operation: "insert_page", title: "Page", document: { markdown } }] }
          })
        )
      )
    )
  const urlOf = (caller: typeof user, id: typeof space, maker: MakePdf | undefined) =>
    Effect.flatMap(Pdfs, (pdfs) => pdfs.getUrl({ content: { space: id } })).pipe(
      CurrentUser.provide(caller),
      Effect.provideService(PdfMaker, maker)
    )
  const url = (maker: MakePdf | undefined) => urlOf(user, space, maker)
  /** Downloads the PDF of a signed URL. */
  const download = (url: string, maker: MakePdf) => {
    const { pathname, searchParams } = new URL(url)
    const [, , spaceId, revision, name] = pathname.split("/").map(decodeURIComponent)
    const pdf = {
      space: spaceId!,
      revision: revision!,
      changeRequest: "",
      page: "",
      only: false,
      edition: searchParams.get("edition")!,
      name: name!,
      expires: Number(searchParams.get("expires"))
    }
    return Effect.flatMap(Pdfs, (pdfs) =>
      pdfs.download({ pdf, signature: searchParams.get("signature")! })
    ).pipe(Effect.provideService(PdfMaker, maker))
  }
  const run = <A, E>(effect: Effect.Effect<A, E, Workspace.Services>) => runtime.runPromise(effect)
  return { user, space, edit, url, urlOf, download, run, stop: () => runtime.dispose() }
}

const bytes = new Uint8Array([1, 2, 3])

/** Renders the same bytes after an effect. */
const bytesAfter = (effect: Effect.Effect<unknown>) => Stream.fromEffect(Effect.as(effect, bytes))

/** Returns the bytes of a PDF, or undefined if it is in progress. */
const bytesOf = (pdf: RenderedPdf | undefined) =>
  pdf === undefined || "progress" in pdf
    ? Effect.succeed(undefined)
    : Effect.map(Stream.runCollect(pdf.file.read(0, pdf.file.size)), (parts) => [...Buffer.concat(parts)])

/** Runs an effect, and the fibers that it forks, with a clock whose sleeps take a thousandth of their time. */
const fast = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.clockWith(Effect.succeed), (clock) =>
    Effect.provideService(
      effect,
      Clock.Clock,
      Object.assign(Object.create(clock) as Clock.Clock, {
        sleep: (duration: Duration.Duration) =>
          clock.sleep(Duration.millis(Duration.toMillis(duration) / 1000))
      })
    )
  )

describe("a PDF", () => {
  it("is rendered once per revision for concurrent requests, even if the first one is interrupted", async () => {
    const { edit, url, run } = await start()
    await edit("One.")
    const gate = Deferred.makeUnsafe<void>()
    const rendered: Array<Book> = []
    const slow: MakePdf = (book) =>
      Stream.suspend(() => {
        rendered.push(book)
        return bytesAfter(Deferred.await(gate))
      })
    await run(
      Effect.gen(function* () {
        const requests = yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(url(slow)))
        while (rendered.length === 0) yield* Effect.sleep(1)
        // The request that started the rendering is interrupted; the others share its result.
        yield* Fiber.interrupt(requests[0]!)
        yield* Deferred.succeed(gate, undefined)
        for (const fiber of requests.slice(1)) expect((yield* Fiber.join(fiber)).url).toContain("/pdf/")
        yield* url(slow)
      })
    )
    expect(rendered.length).toBe(1)
    expect(rendered[0]!.pages.map(({ title, markdown }) => [title, markdown])).toEqual([["Page", "One."]])
    await edit("Two.")
    await run(url(slow))
    expect(rendered.length).toBe(2)
    expect(rendered[1]!.pages.length).toBe(2)
  })

  it("that takes long has a URL before it is complete, which reports the progress until then", async () => {
    const { edit, url, download, run } = await start()
    await edit("One.")
    const gate = Deferred.makeUnsafe<void>()
    let renderings = 0
    const slow: MakePdf = (_, onProgress) =>
      Stream.suspend(() => {
        renderings++
        onProgress?.({ rendered: 3, total: 7 })
        return bytesAfter(Deferred.await(gate))
      })
    await run(
      Effect.gen(function* () {
        const { url: address } = yield* fast(url(slow))
        expect(yield* fast(download(address, slow))).toEqual({ progress: { rendered: 3, total: 7 } })
        yield* Deferred.succeed(gate, undefined)
        expect(yield* Effect.flatMap(download(address, slow), bytesOf)).toEqual([...bytes])
      })
    )
    expect(renderings).toBe(1)
  })

  it("is rendered to the end if no request waits for it, and then served without a renderer run", async () => {
    const { edit, url, download, run } = await start()
    await edit("One.")
    const gate = Deferred.makeUnsafe<void>()
    const done = Deferred.makeUnsafe<void>()
    const slow: MakePdf = () =>
      Stream.concat(
        bytesAfter(Deferred.await(gate)),
        Stream.drain(Stream.fromEffect(Deferred.succeed(done, undefined)))
      )
    const { url: address } = await run(fast(url(slow)))
    await run(Deferred.succeed(gate, undefined))
    await run(Deferred.await(done))
    const never: MakePdf = () => Stream.die("It was rendered again.")
    expect(await run(Effect.flatMap(download(address, never), bytesOf))).toEqual([...bytes])
  })

  it("is rendered by another process if the process that renders it ends", async () => {
    const storage = await openStorage()
    const first = await start(storage)
    await first.edit("One.")
    const { url: address } = await first.run(fast(first.url(() => Stream.never)))
    await first.stop()
    const second = await start(storage)
    const again: MakePdf = () => Stream.succeed(bytes)
    expect(await second.run(Effect.flatMap(second.download(address, again), bytesOf))).toEqual([...bytes])
  })

  it("is rendered by a background worker, and reported to a request of another process", async () => {
    const storage = await openStorage()
    const started = Deferred.makeUnsafe<void>()
    const gate = Deferred.makeUnsafe<void>()
    const slow: MakePdf = (_, onProgress) =>
      Stream.suspend(() => {
        onProgress?.({ rendered: 3, total: 7 })
        return bytesAfter(Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(gate)))
      })
    const server = await start(storage)
    await server.edit("One.")
    // A transaction enqueues the job, and does not wait for it.
    const { url: address } = await server.run(
      Effect.flatMap(Records, (records) => records.transaction(server.url(slow)))
    )
    const worker = await start(storage, slow)
    const running = worker.run(fast(Effect.flatMap(BackgroundWork, (work) => work.runNext)))
    await server.run(Deferred.await(started))
    const never: MakePdf = () => Stream.die("The request rendered the PDF.")
    const progress = Effect.repeat(fast(server.download(address, never)), {
      until: (pdf) => pdf !== undefined && "progress" in pdf && pdf.progress.total > 0
    })
    expect(await server.run(progress)).toEqual({ progress: { rendered: 3, total: 7 } })
    await server.run(Deferred.succeed(gate, undefined))
    expect(await running).toBe(true)
    expect(await server.run(Effect.flatMap(server.download(address, never), bytesOf))).toEqual([...bytes])
  })

  it("is purged 3 hours after it is complete, and rendered again by the next request", async () => {
    const { edit, url, run } = await start()
    await edit("One.")
    let renderings = 0
    const maker: MakePdf = () =>
      Stream.suspend(() => {
        renderings++
        return Stream.succeed(bytes)
      })
    const later = <A, E>(millis: number, effect: Effect.Effect<A, E, Workspace.Services>) =>
      run(
        Effect.flatMap(Effect.clockWith(Effect.succeed), (clock) =>
          Effect.provideService(
            effect,
            Clock.Clock,
            Object.assign(Object.create(clock) as Clock.Clock, {
              currentTimeMillis: Effect.map(clock.currentTimeMillis, (time) => time + millis)
            })
          )
        )
      )
    const hour = 60 * 60 * 1000
    await run(url(maker))
    await later(2 * hour, url(maker))
    expect(renderings).toBe(1)
    await later(4 * hour, url(maker))
    expect(renderings).toBe(2)
  })

  it("is rendered once for the requests of several processes, in any order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 6 }),
        async (order) => {
          const storage = await openStorage()
          const processes = [await start(storage), await start(storage), await start(storage)]
          await processes[0]!.edit("One.")
          const { user, space } = processes[0]!
          let renderings = 0
          const maker: MakePdf = () =>
            Stream.suspend(() => {
              renderings++
              return bytesAfter(Effect.sleep(1))
            })
          const urls = await Promise.all(
            order.map((index) => processes[index]!.run(processes[index]!.urlOf(user, space, maker)))
          )
          expect(renderings).toBe(1)
          for (const [at, { url }] of urls.entries()) {
            const { run, download } = processes[(order[at]! + 1) % 3]!
            expect(await run(Effect.flatMap(download(url, maker), bytesOf))).toEqual([...bytes])
          }
          expect(renderings).toBe(1)
          for (const { stop } of processes) await stop()
        }
      ),
      runs(5)
    )
  })

  it("that failed to render reports the reason, and is rendered again by the next request", async () => {
    const { edit, url, run } = await start()
    await edit("One.")
    let attempts = 0
    const maker: MakePdf = () =>
      Stream.suspend(() =>
        ++attempts === 1 ? Stream.fail(new PdfFailed({ message: "It is too long." })) : Stream.succeed(bytes)
      )
    const failed = await run(Effect.flip(url(maker)))
    expect(failed).toMatchObject({ _tag: "Conflict", message: "It is too long." })
    expect(Exit.isSuccess(await run(Effect.exit(url(maker))))).toBe(true)
    expect(attempts).toBe(2)
  })

  it("fails with Conflict without a renderer", async () => {
    const { url, run } = await start()
    expect(await run(Effect.flip(url(undefined)))).toMatchObject({ _tag: "Conflict" })
  })

  it.skipIf(isFastRun)("fails with Conflict before it is rendered if its text is too long", async () => {
    const { edit, url, run } = await start()
    // Code is fast to parse.
    const text = `\`\`\`\n${"words ".repeat(800_000)}\n\`\`\`\n`
    for (let page = 0; page < 5; page++) await edit(text)
    const error = await run(Effect.flip(url(() => Stream.die("It was rendered."))))
    expect(error).toMatchObject({ _tag: "Conflict", message: expect.stringContaining("too long") })
  })
})
