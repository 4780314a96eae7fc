/**
 * Fuzzing of all operations of an API: each gets valid, mutated and hostile requests, and requests about resources of
 * another organization. Attempts on different operations are interleaved. Every response is checked.
 */
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import * as fc from "fast-check"
import { runs } from "../runs.ts"
import { type ApiOperation, operationsOf } from "./ApiOperation.ts"
import { type Attempt, type AttemptKind, attemptArbitrary, attemptKinds } from "./Attempt.ts"
import { type Client, type HttpResponse, makeClient, toCurl } from "./client.ts"
import { findViolation } from "./findViolation.ts"
import { addEntry, removeEntry, resourcePathOf } from "./Pool.ts"
import { type PreparedRequest, prepareRequest } from "./prepare.ts"
import { Report } from "./Report.ts"
import { type Host, idsIn, makeWorld, type World } from "./World.ts"

/** The options of a fuzz run. */
export interface FuzzOptions<Id extends string, Groups extends HttpApiGroup.Constraint> {
  /** The declaration of the API. */
  readonly api: HttpApi.HttpApi<Id, Groups>
  /** The server under test. */
  readonly host: Host
  /** The number of requests of each kind to each operation, times `LECTERN_TEST_RUNS`. */
  readonly requestsPerKind: number
  /** The timeout of a response in milliseconds; 10 s by default. A response that takes longer is a violation. */
  readonly timeoutMs?: number
  /** Selects the operations to fuzz; all by default. */
  readonly isIncluded?: (operation: string) => boolean
  /**
   * Whether the organizations have spaces and sites; true by default. Set it to false for speed if the operations need
   * none.
   */
  readonly seedsSites?: boolean
}

/**
 * The number of requests after which new organizations are created, as deletions use up the resources of the old ones.
 */
const requestsPerWorld = 1_600

/** The number of failures after which the run ends, as shrinking each of them takes further requests. */
const maxFailures = 30

/** The attempts of one kind on one operation. */
interface Cell {
  readonly operation: ApiOperation
  readonly kind: AttemptKind
  readonly attempts: fc.Arbitrary<Attempt>
}

/** Returns a function that runs tasks one at a time, in the order of its calls, which interleaves the operations. */
const makeQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(task: () => Promise<A>): Promise<A> => {
    const next = last.then(task)
    last = next.catch(() => {})
    return next
  }
}

/** Updates the world after a successful request: removes deleted resources, adds created ones, and stores cursors. */
const updateWorld = (
  world: World,
  operation: ApiOperation,
  prepared: NonNullable<ReturnType<typeof prepareRequest>>,
  text: string
) => {
  const { pathParams, address } = prepared
  const subject = resourcePathOf(operation.path)
  if (pathParams === undefined) return
  if (operation.method === "DELETE" && subject === operation.path) {
    removeEntry(world.own.pool, subject, pathParams)
    world.deleted.push([subject, pathParams])
    return
  }
  if (text === "" || !text.startsWith("{")) return
  const body = JSON.parse(text) as { readonly [key: string]: unknown }
  const { next } = body as { readonly next?: { readonly page?: string } }
  if (next?.page !== undefined) world.cursors.set(address, next.page)
  if (operation.method === "POST" || operation.method === "PUT")
    addEntry(world.own.pool, operation.path, pathParams, body)
}

/** Returns the reason in the body of an error; undefined if the body is not an error. */
const errorReasonOf = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { readonly error?: { readonly reason?: unknown } }).error?.reason
  } catch {
    return undefined
  }
}

/** Whether a request with invalid input was rejected because of its path: with valid input, it has the same error. */
const isRejectedByPath = async (
  client: Client,
  { validRequest }: PreparedRequest,
  { status, text }: HttpResponse
): Promise<boolean> => {
  if (validRequest === undefined || (status !== 403 && status !== 404)) return false
  const reason = errorReasonOf(text)
  if (reason === undefined) return false
  const valid = await client.send(validRequest)
  return valid.status === status && errorReasonOf(valid.text) === reason
}

const runAttempt = async (
  client: Client,
  host: Host,
  world: World,
  { operation, kind }: Cell,
  attempt: Attempt,
  report: Report
): Promise<void> => {
  const prepared = prepareRequest(operation, attempt, world)
  if (prepared === undefined) {
    report.recordSkip(operation.id, kind)
    return
  }
  const { request } = prepared
  const fail = (description: string) => {
    throw new Error(`${operation.id} (${kind}) ${description}\n${toCurl(host.url, request)}`)
  }
  const response = await client.send(request).catch((error: unknown) => fail(`got no response: ${error}`))
  if (response === undefined) return
  report.recordResponse(operation.id, kind, response.status, response.text)
  const isSuccess = response.status >= 200 && response.status < 300
  // Responses may repeat ids that a request stored as content.
  if (isSuccess) for (const id of idsIn(`${request.path} ${request.body ?? ""}`)) world.secrets.delete(id)
  // The resource was deleted along with another one.
  const isGone = response.status === 404 && kind === "valid" && attempt.caller === "admin"
  const subject = resourcePathOf(operation.path)
  if (
    isGone &&
    subject === operation.path &&
    operation.payload === undefined &&
    prepared.pathParams !== undefined
  ) {
    removeEntry(world.own.pool, subject, prepared.pathParams)
  }
  // Resources of the other organization must not enter the pool.
  if (isSuccess && attempt.mutation.kind !== "foreign") updateWorld(world, operation, prepared, response.text)
  const isRejected = await isRejectedByPath(client, prepared, response)
  const expected = isRejected
    ? { ...prepared, expectedStatuses: undefined, reportsDefect: undefined }
    : prepared
  const violation = findViolation(operation, expected, response, world)
  if (violation !== undefined) fail(violation)
}

/**
 * The stride in which cells are visited, so that neighboring cells are not tried together: a prime, to visit each once.
 */
const stride = 7_919

/** The timeout of the requests that create a world. */
const seedTimeoutMs = 60_000

/**
 * Fuzzes a server. Returns a report with the number of requests, the violations in `failures`, and the operations that
 * were not tested enough in `undertested`. Rejects if the first world cannot be created.
 */
export const fuzz = async <Id extends string, Groups extends HttpApiGroup.Constraint>(
  options: FuzzOptions<Id, Groups>
): Promise<Report> => {
  const {
    api,
    host,
    requestsPerKind,
    timeoutMs = 10_000,
    isIncluded = () => true,
    seedsSites = true
  } = options
  const all = operationsOf(api)
  const operations = all.filter(({ id }) => isIncluded(id))
  const client = makeClient(host.url, timeoutMs)
  // Seeding is not under test: a slow machine must not fail it.
  const seedClient = makeClient(host.url, seedTimeoutMs)
  const report = new Report()
  const cells = operations.flatMap((operation) =>
    attemptKinds.flatMap((kind): ReadonlyArray<Cell> => {
      const attempts = attemptArbitrary(operation, kind)
      return attempts === undefined ? [] : [{ operation, kind, attempts }]
    })
  )
  const interleaved = cells.map((_, index) => cells[(index * stride) % cells.length]!)
  report.addCells(cells.map(({ operation, kind }) => [operation.id, kind] as const))

  let worldCount = 0
  let requestCount = 0
  const createWorld = () =>
    makeWorld(
      host,
      seedClient,
      all,
      new Set(operations.map(({ path }) => path)),
      `${host.name}x${worldCount++}x`,
      seedsSites
    )
  let world = await createWorld()
  const checkOtherOrganization = async () => {
    for (const address of await world.findChanges()) {
      report.recordFailure(`${address} of the other organization has changed`)
    }
  }
  /**
   * Returns the current world, or a new one after `requestsPerWorld` requests; undefined after `maxFailures` failures.
   */
  const nextWorld = async (): Promise<World | undefined> => {
    if (report.failures.length >= maxFailures) return undefined
    if (requestCount++ < requestsPerWorld) return world
    requestCount = 1
    await checkOtherOrganization()
    world = await createWorld().catch((error: unknown) => {
      // Without a world no more requests can be sent: end the run.
      for (let left = report.failures.length; left < maxFailures; left++) report.recordFailure(String(error))
      return world
    })
    return world
  }

  const enqueue = makeQueue()
  const runCells = (some: ReadonlyArray<Cell>) =>
    Promise.all(
      some.map((cell) =>
        fc
          .assert(
            fc.asyncProperty(cell.attempts, (attempt) =>
              enqueue(async () => {
                const world = await nextWorld()
                if (world !== undefined) await runAttempt(client, host, world, cell, attempt, report)
              })
            ),
            runs(requestsPerKind)
          )
          .catch((error: Error) => {
            const cause = error.cause instanceof Error ? error.cause.message : ""
            report.recordFailure(`${cause}\n${error.message}`)
          })
      )
    )
  try {
    await runCells(interleaved)
    const missed = interleaved.filter(({ operation, kind }) => report.countRequests(operation.id, kind) === 0)
    if (missed.length > 0) {
      // Other operations deleted all of their resources. A new world has them again.
      requestCount = requestsPerWorld
      await runCells(missed)
    }
    await checkOtherOrganization()
  } finally {
    client.close()
    seedClient.close()
  }
  return report
}
