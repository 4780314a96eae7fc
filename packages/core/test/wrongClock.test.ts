/** Work that was scheduled while the clock was wrong does not wait until it is that late. */
import { BackgroundWork, createWorkspace, Fetcher, type JobRow, jobs, Records } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { makeMovableClock } from "@lectern/testkit/model"
import { Clock, Effect, Layer } from "effect"
import { expect, it } from "vitest"

const hourMs = 60 * 60 * 1_000

const open = async () => {
  const time = makeMovableClock()
  const sent: Array<string> = []
  const fetcher = Layer.succeed(Fetcher, ({ url, post }) =>
    Effect.sync(() => {
      sent.push(String(post?.headers["x-lectern-delivery"]))
      return { url, status: 200, contentType: "", body: new Uint8Array(0) }
    })
  )
  const workspace = createWorkspace({ storage: MemoryStorage.layer().pipe(Layer.provideMerge(fetcher)) })
  const { administration, runtime } = workspace
  const user = await administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  await workspace.as(user).webhooks.create({ organization, input: { url: "https://example.com/hook" } })
  const atClock = <A, E>(effect: Effect.Effect<A, E, BackgroundWork | Records>): Promise<A> =>
    runtime.runPromise(Effect.provideService(effect, Clock.Clock, time.clock))
  const drain = () => atClock(Effect.flatMap(BackgroundWork, (work) => work.drain))
  return { time, sent, workspace, user, organization, atClock, drain }
}

it("is due immediately after the clock returns from a jump of some hours, and is done once", async () => {
  for (const jumpHours of [2, 25, 400]) {
    const { time, sent, workspace, user, organization, atClock, drain } = await open()
    await drain()
    const before = sent.length
    time.advance(jumpHours * hourMs)
    await workspace.as(user).spaces.create({ organization, input: { title: "In the future" } })
    // Numbers the events, whose deliveries get the time of the wrong clock, without delivering them.
    await atClock(
      Effect.flatMap(Records, (records) =>
        records.update(
          jobs,
          { op: "all" } as never,
          {
            runAt: new Date(time.now()).toISOString()
          } as Partial<JobRow>
        )
      )
    )
    await workspace.as(user).events.list({ organization, input: {} })
    time.advance(-(jumpHours + 1) * hourMs)
    await drain()
    expect([jumpHours, sent.length > before]).toEqual([jumpHours, true])
    expect(new Set(sent).size).toBe(sent.length)
    await workspace.dispose()
  }
})
