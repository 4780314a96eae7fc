/** Rendering and caching of PDFs, with a renderer that counts its calls. */
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
import { Deferred, Effect, Exit, Fiber, Layer, ManagedRuntime } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"

/** A space with the PDF operations on a renderer. */
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
  const run = <A, E>(effect: Effect.Effect<A, E, Workspace.WorkspaceServices>) => runtime.runPromise(effect)
  return { edit, url, run }
}

const bytes = new Uint8Array([1, 2, 3])

describe("a PDF", () => {
  it("is rendered once per revision for concurrent requests, also if the first is interrupted", async () => {
    const { edit, url, run } = await start()
    await edit("One.")
    const gate = Deferred.makeUnsafe<void>()
    const made: Array<Book> = []
    const slow: MakePdf = (book) =>
      Effect.suspend(() => {
        made.push(book)
        return Effect.as(Deferred.await(gate), bytes)
      })
    await run(
      Effect.gen(function* () {
        const asking = yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(url(slow)))
        while (made.length === 0) yield* Effect.sleep(1)
        // The first caller is interrupted. The others receive the result of the rendering that it started.
        yield* Fiber.interrupt(asking[0]!)
        yield* Deferred.succeed(gate, undefined)
        for (const fiber of asking.slice(1)) expect((yield* Fiber.join(fiber)).url).toContain("/pdf/")
        yield* url(slow)
      })
    )
    expect(made.length).toBe(1)
    expect(made[0]!.pages.map(({ title, markdown }) => [title, markdown])).toEqual([["Page", "One."]])
    await edit("Two.")
    await run(url(slow))
    expect(made.length).toBe(2)
    expect(made[1]!.pages.length).toBe(2)
  })

  it("is rendered again after a failure, which is reported with its reason", async () => {
    const { edit, url, run } = await start()
    await edit("One.")
    let tries = 0
    const maker: MakePdf = () =>
      Effect.suspend(() =>
        ++tries === 1 ? Effect.fail(new PdfFailed({ message: "It is too long." })) : Effect.succeed(bytes)
      )
    const failed = await run(Effect.flip(url(maker)))
    expect(failed).toMatchObject({ _tag: "Conflict", message: "It is too long." })
    expect(Exit.isSuccess(await run(Effect.exit(url(maker))))).toBe(true)
    expect(tries).toBe(2)
  })

  it("is rejected with a conflict if the host has no renderer", async () => {
    const { url, run } = await start()
    expect(await run(Effect.flip(url(undefined)))).toMatchObject({ _tag: "Conflict" })
  })

  it("is rejected before rendering if the content is too long", async () => {
    const { edit, url, run } = await start()
    const text = `${"words ".repeat(800_000)}\n`
    for (let page = 0; page < 5; page++) await edit(text)
    const refused = await run(Effect.flip(url(() => Effect.die("It was made."))))
    expect(refused).toMatchObject({ _tag: "Conflict", message: expect.stringContaining("too long") })
  })
})
