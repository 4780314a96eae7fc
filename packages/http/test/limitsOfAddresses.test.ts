/** The limits of requests of one address, by random sequences of requests of several clients at the address. */
import type { Identity } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { OnAuthenticated } from "../src/server/limits/observeAuthenticator.ts"
import { makeQuotas } from "../src/server/limits/quotas.ts"
import { withRateLimits } from "../src/server/limits/rateLimits.ts"
import type { ApiRequest, ApiResponse } from "../src/server/messages/Message.ts"

/** A request of a client: without credentials, with invalid ones, or of a user. */
type Sent =
  | { readonly kind: "anonymous" }
  | { readonly kind: "page" }
  | { readonly kind: "guess" | "otherCookie" | "unknownPath" | "expiredSession"; readonly number: number }
  | { readonly kind: "token" | "session"; readonly user: number; readonly number: number }

const secretOf = (name: string): string => name.padEnd(43, "x")

const headersOf = (sent: Sent): Readonly<Record<string, string>> => {
  if (sent.kind === "anonymous") return {}
  if (sent.kind === "page") return { cookie: "theme=dark" }
  // The server cannot know whether a host reads the cookie, so it is examined.
  if (sent.kind === "otherCookie") return { cookie: `theme=${sent.number}` }
  if (sent.kind === "token") return { authorization: `Bearer valid-${sent.user}-${sent.number}` }
  if (sent.kind === "session")
    return { cookie: `theme=dark; lectern_session=${secretOf(`valid-${sent.user}-${sent.number}`)}` }
  if (sent.kind === "expiredSession")
    return { cookie: `lectern_session=${secretOf(`expired-${sent.number}`)}` }
  return { authorization: `Bearer guess-${sent.number}` }
}

const requestOf = (sent: Sent): ApiRequest => {
  const headers = headersOf(sent)
  const url = sent.kind === "page" ? "/docs-of-acme" : sent.kind === "unknownPath" ? "/v1/x" : "/v1/user"
  return {
    method: "GET",
    url,
    header: (name: string) => headers[name],
    remoteAddress: "192.0.2.1"
  } as ApiRequest
}

/** A server whose users have tokens and sessions that start with `valid`. */
const dispatch = ({ url, header }: ApiRequest): Effect.Effect<ApiResponse> =>
  Effect.withFiber((fiber) => {
    const answer = (status: number) => Effect.succeed({ status, headers: {} } as ApiResponse)
    if (url !== "/v1/user") return answer(url === "/v1/x" ? 404 : 200)
    const given = `${header("authorization") ?? ""} ${header("cookie") ?? ""}`
    const [, user] = /(?:Bearer |lectern_session=)valid-(\d+)-/.exec(given) ?? []
    if (user === undefined) return answer(401)
    const token = given.includes("Bearer") ? { id: "token" } : undefined
    const identity = { id: user, token } as unknown as Identity
    return Effect.andThen(fiber.getRef(OnAuthenticated)!(identity), answer(200))
  })

const limits = { perToken: 6, perAddress: 8, perOrganization: 1_000, failuresPerAddress: 3 }

/** The counts of a minute, as `docs/limits.md` states them. */
class Expected {
  private readonly counts = new Map<string, number>()
  private readonly known = new Set<string>()

  private add(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1
    this.counts.set(key, count)
    return count
  }

  private get(key: string): number {
    return this.counts.get(key) ?? 0
  }

  private fail(): number {
    return this.add("failures") > limits.failuresPerAddress ? 429 : 401
  }

  status(sent: Sent): number {
    if (sent.kind === "anonymous" || sent.kind === "page") {
      if (this.get("failures") >= limits.failuresPerAddress) return 429
      const isPage = sent.kind === "page"
      if (this.add(sent.kind) > limits.perAddress * (isPage ? 10 : 1)) return 429
      return isPage ? 200 : 401
    }
    const isValid = sent.kind === "token" || sent.kind === "session"
    const credential = JSON.stringify([sent.kind, isValid ? sent.user : undefined, sent.number])
    if (!this.known.has(credential) && this.get("unaccepted") >= limits.perAddress) return 429
    if (!isValid) {
      this.add("unaccepted")
      if (sent.kind === "otherCookie") return 401
      return sent.kind === "unknownPath" ? 404 : this.fail()
    }
    this.known.add(credential)
    return this.add(sent.kind === "token" ? credential : `user ${sent.user}`) > limits.perToken ? 429 : 200
  }
}

const number = fc.integer({ min: 0, max: 3 })
const user = fc.integer({ min: 0, max: 1 })

const sentArbitrary: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({ kind: fc.constantFrom("anonymous", "page") }),
  fc.record({ kind: fc.constantFrom("guess", "otherCookie", "unknownPath", "expiredSession"), number }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("token", "session"), user, number }) }
)

it("requests of an address are limited by their own kind: valid credentials by their user, regardless of requests of others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sentArbitrary, { minLength: 1, maxLength: 60 }), async (requests) => {
      const limited = withRateLimits(dispatch, limits, makeQuotas(undefined), "http://127.0.0.1:4400")
      const expected = new Expected()
      for (const sent of requests) {
        const { status } = await Effect.runPromise(limited(requestOf(sent)))
        expect([sent, status]).toEqual([sent, expected.status(sent)])
      }
    }),
    runs(200)
  )
})
