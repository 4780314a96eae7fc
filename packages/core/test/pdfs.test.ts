/** The rendering of PDFs: when the renderer of the host is called, and when its result is cached. */
import {
  Administration,
  type Book,
  Content,
  CurrentUser,
  type MakePdf,
  PdfFailed,
  PdfMaker,
  Pdfs,
  Spaces,
  Workspace
} from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, ManagedRuntime } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"

/** Creates a space, and returns functions that edit it and request its PDF with a renderer. */
const start = async () => {
  const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(MemoryStorage.layer())))
  onTestFinished(() => runtime.dispose())
  const { user, space } = await runtime.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = yield* administration.createUser({ input: { email: "ada@example.com" } })
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
  const url = (maker: MakePdf | undefined) =>
    Effect.flatMap(Pdfs, (pdfs) => pdfs.getUrl({ content: { space } })).pipe(
      CurrentUser.provide(user),
      Effect.provideService(PdfMaker, maker)
    )
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
  const run = <A, E>(effect: Effect.Effect<A, E, Workspace.WorkspaceServices>) => runtime.runPromise(effect)
  return { edit, url, download, run }
}

const bytes = new Uint8Array([1, 2, 3])

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
      Effect.suspend(() => {
        rendered.push(book)
        return Effect.as(Deferred.await(gate), bytes)
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
      Effect.suspend(() => {
        renderings++
        onProgress?.({ rendered: 3, total: 7 })
        return Effect.as(Deferred.await(gate), bytes)
      })
    await run(
      Effect.gen(function* () {
        const { url: address } = yield* fast(url(slow))
        expect(yield* fast(download(address, slow))).toEqual({ progress: { rendered: 3, total: 7 } })
        yield* Deferred.succeed(gate, undefined)
        expect(yield* download(address, slow)).toEqual({ bytes })
      })
    )
    expect(renderings).toBe(1)
  })

  it("is canceled if no request waits for it, and is rendered again by the next request", async () => {
    const { edit, url, run } = await start()
    await edit("One.")
    const canceled = Deferred.makeUnsafe<void>()
    const endless: MakePdf = () =>
      Effect.onInterrupt(Effect.never, () => Deferred.succeed(canceled, undefined))
    await run(fast(url(endless)))
    await run(Deferred.await(canceled))
    expect((await run(url(() => Effect.succeed(bytes)))).url).toContain("/pdf/")
  })

  it("that failed to render reports the reason, and is rendered again by the next request", async () => {
    const { edit, url, run } = await start()
    await edit("One.")
    let attempts = 0
    const maker: MakePdf = () =>
      Effect.suspend(() =>
        ++attempts === 1 ? Effect.fail(new PdfFailed({ message: "It is too long." })) : Effect.succeed(bytes)
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

  it("fails with Conflict before it is rendered if its text is too long", async () => {
    const { edit, url, run } = await start()
    // Code is fast to parse.
    const text = `\`\`\`\n${"words ".repeat(800_000)}\n\`\`\`\n`
    for (let page = 0; page < 5; page++) await edit(text)
    const error = await run(Effect.flip(url(() => Effect.die("It was rendered."))))
    expect(error).toMatchObject({ _tag: "Conflict", message: expect.stringContaining("too long") })
  })
})
