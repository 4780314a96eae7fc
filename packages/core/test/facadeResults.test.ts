/** The results of the Promise facade, which hosts use without Effect. */
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { compileErrors } from "./support/compileErrors.ts"
import { caught, openWorkspace } from "./support/embedding.ts"

// `EffectData` is the union of the Effect data types in a type, at any level of it that hosts can reach.
const walker = (value: string) => `import type { EmbeddedWorkspace } from "@lectern/core"
import type { Chunk, DateTime, Duration, Effect, Exit, HashMap, HashSet, Option, Redacted, Result, Stream } from "effect"

type Forbidden = Redacted.Redacted<unknown> | Option.Option<unknown> | Chunk.Chunk<unknown> | DateTime.DateTime
  | Duration.Duration | Exit.Exit<unknown, unknown> | HashMap.HashMap<unknown, unknown> | HashSet.HashSet<unknown>
  | Result.Result<unknown, unknown> | Effect.Effect<unknown, unknown, unknown>
  | Stream.Stream<unknown, unknown, unknown>

type Deeper = [never, 0, 1, 2, 3, 4, 5]

type EffectData<T, Depth extends number> = [Depth] extends [never] ? never
  : T extends string | number | boolean | bigint | symbol | null | undefined | Uint8Array ? never
  : T extends Forbidden ? T
  : T extends (...args: never) => unknown ? never
  : T extends ReadonlyArray<infer Item> ? EffectData<Item, Deeper[Depth]>
  : T extends object ? { [K in keyof T]-?: EffectData<T[K], Deeper[Depth]> }[keyof T]
  : never

type Found<Service, Name extends string> = {
  [K in keyof Service & string]: Service[K] extends (...args: never) => Promise<infer A>
    ? [EffectData<A, 6>] extends [never] ? never : \`\${Name}.\${K}\`
    : never
}[keyof Service & string]

type InServices<Services> = { [K in keyof Services & string]: Found<Services[K], K> }[keyof Services & string]

type Caller = ReturnType<EmbeddedWorkspace["as"]>

// Features of hosts, of which there are none here, leave an index signature.
type User = { [K in keyof Caller as string extends K ? never : K extends "transaction" ? never : K]: Caller[K] }

export const services: keyof User extends never ? "none" : keyof User = "spaces"

type Host = Pick<EmbeddedWorkspace, "administration" | "tokens" | "work">

interface Planted { readonly list: () => Promise<{ readonly items: ReadonlyArray<{ readonly at?: Option.Option<string> }> }> }

type OrNone<Operation> = [Operation] extends [never] ? "none" : Operation

// Takes a stream of Effect as well: it stores the bytes of requests for the HTTP layer.
type Exempt = "content.storeUpload"

export const found: OrNone<Exclude<InServices<${value}>, Exempt>> = "none"
`

const errors = compileErrors({
  user: walker("User"),
  host: walker("Host"),
  planted: walker("Host & { readonly planted: Planted }")
})

describe("the types of results", () => {
  it("contain no Effect data types, in any operation on behalf of a user", () => {
    expect(errors.user).toEqual([])
  })

  it("contain no Effect data types, in any operation of the host", () => {
    expect(errors.host).toEqual([])
  })

  it("are walked to the properties of listed items", () => {
    expect(errors.planted).toEqual([expect.stringContaining(`'"planted.list"'`)])
  })
})

describe("secrets", () => {
  it("of created and rotated tokens are strings that authenticate", async () => {
    const { workspace, user } = await openWorkspace()
    const created = await workspace.tokens.create({ input: { user, label: "Host" } })
    expect(created.secret).toMatch(/^lectern_/)
    expect((await workspace.tokens.authenticate(created.secret)).id).toBe(user)
    const rotated = await workspace.tokens.rotate({ token: created.token.id, input: {} })
    expect(rotated.secret).toMatch(/^lectern_/)
    expect((await workspace.tokens.authenticate(Redacted.make(rotated.secret))).id).toBe(user)
  })

  it("of a new visitor key are a string", async () => {
    const { workspace, organization } = await openWorkspace()
    expect(typeof (await workspace.administration.regenerateVisitorKey({ organization }))).toBe("string")
  })

  it("in inputs may be strings, and errors do not repeat them", async () => {
    const { workspace, user } = await openWorkspace()
    const secret = "0123456789".repeat(4)
    const created = await workspace.tokens.create({ input: { user, label: "Given", secret } })
    expect(created.secret).toBe(secret)
    const error = await caught(
      workspace.tokens.create({ input: { user, label: "Short", secret: "too-short" } })
    )
    expect(error).toMatchObject({ _tag: "InvalidInput", details: [{ path: "secret" }] })
    expect(JSON.stringify(error)).not.toContain("too-short")
  })
})
