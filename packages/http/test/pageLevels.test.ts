/** Levels of the tree of pages: equal to the same part of the whole tree, for members and visitors. */
import {
  Content,
  type ContentOf,
  type ContentPage,
  CurrentUser,
  type ListPages,
  Spaces,
  UserId,
  visitorIdentity
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { makeCoreApi } from "@lectern/testkit/model"
import { Clock, Effect } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { memory } from "./stores.ts"
import { PassTime } from "./support/randomOperations/choices.ts"
import { performSteps, randomSteps } from "./support/randomOperations/randomOperations.ts"
import { createSampleWorkspace } from "./support/sampleWorkspace.ts"

type Needed =
  | Effect.Services<typeof createSampleWorkspace>
  | Exclude<Effect.Services<ReturnType<typeof performSteps>>, CurrentUser | PassTime>

const pagesOf = (page: ContentPage): ReadonlyArray<ContentPage> => ("pages" in page ? page.pages : [])

const all = (pages: ReadonlyArray<ContentPage>): ReadonlyArray<ContentPage> =>
  pages.flatMap((page) => [page, ...all(pagesOf(page))])

/** Returns the first levels of a tree, with a mark on pages whose subpages are omitted. */
const cut = (pages: ReadonlyArray<ContentPage>, depth: number): ReadonlyArray<unknown> =>
  pages.map((page) => {
    if (!("pages" in page)) return page
    if (depth > 1) return { ...page, pages: cut(page.pages, depth - 1) }
    return { ...page, ...(page.pages.length === 0 ? {} : { hasPages: true }), pages: [] }
  })

const readLevels = Effect.fnUntraced(function* (content: ContentOf) {
  const { listPages } = yield* Content
  let compared = 0
  for (const computed of [true, false]) {
    const whole = yield* listPages({ content, input: { computed } })
    const parents = [undefined, ...all(whole.pages)]
    for (const parent of parents) {
      const below = parent === undefined ? whole.pages : pagesOf(parent)
      for (const depth of [1, 2, 3, 100, undefined]) {
        const input: ListPages = {
          computed,
          ...(parent === undefined ? {} : { parent: parent.id }),
          ...(depth === undefined ? {} : { depth })
        }
        const found = yield* listPages({ content, input })
        expect(found.pages).toEqual(cut(below, depth ?? Number.POSITIVE_INFINITY))
        compared++
      }
    }
  }
  const missing = yield* Effect.flip(listPages({ content, input: { parent: "missing" as never, depth: 1 } }))
  expect(missing).toMatchObject({ _tag: "NotFound" })
  return compared
})

it("are equal to the same levels of the whole tree", async () => {
  await fc.assert(
    fc.asyncProperty(randomSteps(60), async (steps) => {
      const core = makeCoreApi(await memory.make())
      const run = <A, E>(effect: Effect.Effect<A, E, Needed>): Promise<A> =>
        core.runtime.runPromise(
          Effect.provideService(effect, Clock.Clock, core.clock) as Effect.Effect<A, E, never>
        )
      try {
        const workspace = await run(createSampleWorkspace)
        const { ada, organization, site, space } = workspace
        const visitor = visitorIdentity({ organization: organization as never, site: site as never })
        const asVisitor = Effect.provideService(readLevels({ space: space as never }), CurrentUser, visitor)
        expect(await run(asVisitor)).toBeGreaterThan(0)
        await run(Effect.provideService(performSteps(workspace, steps), PassTime, () => Effect.void))
        const asAda = CurrentUser.provide(UserId.make(ada))
        const { items } = await run(
          asAda(
            Effect.flatMap(Spaces, (spaces) =>
              spaces.list({ organization: organization as never, input: { limit: 100 } })
            )
          )
        )
        let compared = 0
        for (const { id, deletedAt } of items) {
          if (deletedAt === undefined) compared += await run(asAda(readLevels({ space: id })))
        }
        expect(compared).toBeGreaterThan(items.length)
        // Random steps can remove the space from the site, which visitors then do not see.
        await run(Effect.catchTag(asVisitor, "NotFound", () => Effect.void))
      } finally {
        await core.close()
      }
    }),
    runs(20)
  )
})
