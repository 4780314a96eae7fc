/**
 * A fuzz run over all operations of an API: each gets valid, wrong and hostile requests, and such as are about what
 * another organization has, in turn with all others, and every answer is judged.
 */
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import * as fc from "fast-check"
import { runs } from "../runs.ts"
import { type Attempt, attemptsOf, type Class, classes } from "./Attempt.ts"
import { type Answer, type Client, clientOf, curl } from "./client.ts"
import { type Declared, declaredOf } from "./Declared.ts"
import { judge } from "./judge.ts"
import { forget, remember, subjectOf } from "./Pool.ts"
import { type Prepared, prepare } from "./prepare.ts"
import { Report } from "./Report.ts"
import { type Host, idsIn, makeWorld, type World } from "./World.ts"

/** What is fuzzed, and for how long. */
export interface FuzzOptions<Id extends string, Groups extends HttpApiGroup.Constraint> {
  readonly api: HttpApi.HttpApi<Id, Groups>
  readonly host: Host
  /** How many requests of each kind an operation gets, times `LECTERN_TEST_RUNS`. */
  readonly each: number
  /** How long an answer may take, in milliseconds; 10 seconds by default. */
  readonly timeoutMs?: number
  /** Of the operations, those to fuzz; all by default. */
  readonly only?: (operation: string) => boolean
  /** Whether the organizations have spaces and sites; they have by default. Where those are not fuzzed it is quicker without. */
  readonly seedsSites?: boolean
}

/** After so many requests the organizations are left to themselves and new ones are made: deletions wear them out. */
const requestsOfWorld = 1_600

/** After so many failures nothing more is tried: each is looked for in its smallest form, which takes requests too. */
const mostFailures = 30

interface Cell {
  readonly declared: Declared
  readonly kind: Class
  readonly attempts: fc.Arbitrary<Attempt>
}

/** Does one thing after another, in the order in which they came: so every operation is tried in turn with all others. */
const inTurn = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(task: () => Promise<A>): Promise<A> => {
    const next = last.then(task)
    last = next.catch(() => {})
    return next
  }
}

/** Keeps what is known of the world in step with what was done to it. */
const learn = (
  world: World,
  declared: Declared,
  prepared: NonNullable<ReturnType<typeof prepare>>,
  text: string
) => {
  const { entry, address } = prepared
  const subject = subjectOf(declared.path)
  if (entry === undefined) return
  if (declared.method === "DELETE" && subject === declared.path) {
    forget(world.own.pool, subject, entry)
    world.deleted.push([subject, entry])
    return
  }
  if (text === "" || !text.startsWith("{")) return
  const body = JSON.parse(text) as { readonly [key: string]: unknown }
  const { next } = body as { readonly next?: { readonly page?: string } }
  if (next?.page !== undefined) world.cursors.set(address, next.page)
  if (declared.method === "POST" || declared.method === "PUT")
    remember(world.own.pool, declared.path, entry, body)
}

/** The reason in the body of an error. */
const reasonOf = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { readonly error?: { readonly reason?: unknown } }).error?.reason
  } catch {
    return undefined
  }
}

/** Whether a request with an invalid input is refused by its path: the same request with a valid input is, too. */
const isRefusedByPath = async (
  client: Client,
  { validRequest }: Prepared,
  { status, text }: Answer
): Promise<boolean> => {
  if (validRequest === undefined || (status !== 403 && status !== 404)) return false
  const reason = reasonOf(text)
  if (reason === undefined) return false
  const valid = await client.send(validRequest)
  return valid.status === status && reasonOf(valid.text) === reason
}

const tryOnce = async (
  client: Client,
  host: Host,
  world: World,
  { declared, kind }: Cell,
  attempt: Attempt,
  report: Report
): Promise<void> => {
  const prepared = prepare(declared, attempt, world)
  if (prepared === undefined) {
    report.skipped(declared.id, kind)
    return
  }
  const { request } = prepared
  const fail = (what: string) => {
    throw new Error(`${declared.id} (${kind}) ${what}\n${curl(host.url, request)}`)
  }
  const answer = await client.send(request).catch((error: unknown) => fail(`has no answer: ${error}`))
  if (answer === undefined) return
  report.answered(declared.id, kind, answer.status, answer.text)
  const isSuccess = answer.status >= 200 && answer.status < 300
  // What a text or a link was made to say, it says from then on.
  if (isSuccess) for (const id of idsIn(`${request.path} ${request.body ?? ""}`)) world.secrets.delete(id)
  // What is gone with something else is no longer to be asked for.
  const isGone = answer.status === 404 && kind === "valid" && attempt.caller === "admin"
  const subject = subjectOf(declared.path)
  if (isGone && subject === declared.path && declared.payload === undefined && prepared.entry !== undefined) {
    forget(world.own.pool, subject, prepared.entry)
  }
  // What the other organization has is none of the things to play with.
  if (isSuccess && attempt.mutation.kind !== "foreign") learn(world, declared, prepared, answer.text)
  const isRefused = await isRefusedByPath(client, prepared, answer)
  const expected = isRefused ? { ...prepared, statuses: undefined, named: undefined } : prepared
  const wrong = judge(declared, expected, answer, world)
  if (wrong !== undefined) fail(wrong)
}

/** A prime that no number of cells is a multiple of: cells that stand together are not tried together. */
const stride = 7_919

/** The timeout of the requests that seed a world. */
const seedTimeoutMs = 60_000

/** Fuzzes a server, and reports how often each operation was asked, what was answered, and what was wrong. */
export const fuzz = async <Id extends string, Groups extends HttpApiGroup.Constraint>(
  options: FuzzOptions<Id, Groups>
): Promise<Report> => {
  const { api, host, each, timeoutMs = 10_000, only = () => true, seedsSites = true } = options
  const all = declaredOf(api)
  const operations = all.filter(({ id }) => only(id))
  const client = clientOf(host.url, timeoutMs)
  // Seeding is not under test: a slow machine must not fail it.
  const seedClient = clientOf(host.url, seedTimeoutMs)
  const report = new Report()
  const cells = operations.flatMap((declared) =>
    classes.flatMap((kind): ReadonlyArray<Cell> => {
      const attempts = attemptsOf(declared, kind)
      return attempts === undefined ? [] : [{ declared, kind, attempts }]
    })
  )
  const mixed = cells.map((_, index) => cells[(index * stride) % cells.length]!)
  report.expects(cells.map(({ declared, kind }) => [declared.id, kind] as const))

  let made = 0
  let asked = 0
  const make = () =>
    makeWorld(
      host,
      seedClient,
      all,
      new Set(operations.map(({ path }) => path)),
      `${host.name}x${made++}x`,
      seedsSites ? 1 : 0
    )
  let world = await make()
  const check = async () => {
    for (const address of await world.differences()) {
      report.failed(`${address} of the other organization is not what it was`)
    }
  }
  /** The world to play in, a new one from time to time; undefined where there has been enough of it. */
  const next = async (): Promise<World | undefined> => {
    if (report.failures.length >= mostFailures) return undefined
    if (asked++ < requestsOfWorld) return world
    asked = 1
    await check()
    world = await make().catch((error: unknown) => {
      // Without anywhere to play there is nothing more to find out.
      for (let left = report.failures.length; left < mostFailures; left++) report.failed(String(error))
      return world
    })
    return world
  }

  const turn = inTurn()
  const ask = (some: ReadonlyArray<Cell>) =>
    Promise.all(
      some.map((cell) =>
        fc
          .assert(
            fc.asyncProperty(cell.attempts, (attempt) =>
              turn(async () => {
                const world = await next()
                if (world !== undefined) await tryOnce(client, host, world, cell, attempt, report)
              })
            ),
            runs(each)
          )
          .catch((error: Error) => {
            const cause = error.cause instanceof Error ? error.cause.message : ""
            report.failed(`${cause}\n${error.message}`)
          })
      )
    )
  try {
    await ask(mixed)
    const missed = mixed.filter(({ declared, kind }) => report.asked(declared.id, kind) === 0)
    if (missed.length > 0) {
      // All that they could have been about had been taken away by others: it is there again in a new world.
      asked = requestsOfWorld
      await ask(missed)
    }
    await check()
  } finally {
    client.close()
    seedClient.close()
  }
  return report
}
