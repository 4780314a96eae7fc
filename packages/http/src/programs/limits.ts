/** Limits of requests to the authorization server, which all processes of a workspace share. */
import { addRateLimitCounts, Records, type StorageUnavailable } from "@lectern/core"
import { Clock, Effect } from "effect"

interface Limit {
  readonly requests: number
  readonly windowMillis: number
}

const minute = 60_000
const hour = 60 * minute

/** How many requests one client can send: an address, or the person who types a code. */
const limits = {
  register: { requests: 20, windowMillis: hour },
  token: { requests: 120, windowMillis: minute },
  deviceAuthorization: { requests: 30, windowMillis: 10 * minute },
  userCode: { requests: 10, windowMillis: 10 * minute },
  userCodeAddress: { requests: 30, windowMillis: 10 * minute }
} as const satisfies Readonly<Record<string, Limit>>

/** The maximum number of registered programs of a workspace. */
export const maximumPrograms = 10_000

/** Creates the function that counts a request. Returns after how many seconds the client can send another one; undefined if it is within the limit. */
export const makeProgramLimits = Effect.gen(function* () {
  const records = yield* Records
  return Effect.fnUntraced(function* (
    name: keyof typeof limits,
    client: string
  ): Effect.fn.Return<number | undefined, StorageUnavailable> {
    const { requests, windowMillis } = limits[name]
    const now = yield* Clock.currentTimeMillis
    const expiresAt = now - (now % windowMillis) + windowMillis
    const [total = 0] = yield* addRateLimitCounts(records, [
      { key: `programs.${name}:${client}`, expiresAt, count: 1 }
    ])
    return total > requests ? Math.max(1, Math.ceil((expiresAt - now) / 1_000)) : undefined
  })
})

/** Counts requests to the authorization server. */
export type ProgramLimits = Effect.Success<typeof makeProgramLimits>
