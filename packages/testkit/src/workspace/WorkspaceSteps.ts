/** Stories at random: what several users do with collections and spaces, as data. */
import type { DefaultLevel, Role, RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import type { Outcome } from "./WorkspaceApi.ts"

/** A step of a story. Numbers pick among what there is when the step is played. */
export type Step = { readonly by: number } & (
  | { readonly do: "createCollection" | "createSpace"; readonly organization: number; readonly into: number }
  | {
      readonly do: "move"
      readonly item: number
      readonly into: number | "stay"
      readonly before: number
      readonly after: number
    }
  | { readonly do: "level"; readonly item: number; readonly level: DefaultLevel }
  | { readonly do: "rename"; readonly item: number; readonly title: string }
  | { readonly do: "lock"; readonly item: number; readonly locked: boolean }
  | { readonly do: "remove" | "restore" | "duplicate" | "get"; readonly item: number }
  | { readonly do: "transfer"; readonly item: number; readonly organization: number }
  | {
      readonly do: "share"
      readonly item: number
      readonly to: number
      readonly team: boolean
      readonly role: RoleOrGuest
    }
  | {
      readonly do: "member" | "join"
      readonly to: number
      readonly organization: number
      readonly role: RoleOrGuest
    }
  | { readonly do: "dismiss"; readonly to: number; readonly organization: number }
  | {
      readonly do: "team"
      readonly to: number
      readonly organization: number
      readonly as: "owner" | "member" | "added" | "removed"
    }
  | { readonly do: "wait"; readonly milliseconds: number }
  | { readonly do: "expire"; readonly item: number; readonly milliseconds: number }
  | { readonly do: "purge" }
)

/** The one of a list that a number of a step picks. */
export const at = <A>(list: ReadonlyArray<A>, index: number): A | undefined =>
  list[index % Math.max(1, list.length)]

/** How an operation ended that did not succeed. */
export const refusalOf = (outcome: Outcome): string | undefined => (outcome.ok ? undefined : outcome.error)

const day = 24 * 60 * 60 * 1000
const pick = fc.nat({ max: 1000 })
const role = fc.constantFrom<Role>("read", "comment", "edit", "review", "create", "admin")
const roleOrGuest = fc.oneof(fc.constant(null), role)
const level = fc.oneof(fc.constant<DefaultLevel>("inherit"), fc.constant(null), role)
/** The root, the first collection (so that some are full), or any. */
const into = fc.oneof(fc.constant(0), fc.constant(1), pick)
const title = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll("\0", "").trim())

const kinds = {
  createCollection: { organization: pick, into },
  createSpace: { organization: pick, into },
  move: { item: pick, into: fc.oneof(into, fc.constant("stay" as const)), before: pick, after: pick },
  level: { item: pick, level },
  rename: { item: pick, title },
  lock: { item: pick, locked: fc.boolean() },
  remove: { item: pick },
  restore: { item: pick },
  duplicate: { item: pick },
  get: { item: pick },
  transfer: { item: pick, organization: pick },
  share: { item: pick, to: pick, team: fc.boolean(), role: roleOrGuest },
  member: { to: pick, organization: pick, role: roleOrGuest },
  join: { to: pick, organization: pick, role: roleOrGuest },
  dismiss: { to: pick, organization: pick },
  team: {
    to: pick,
    organization: pick,
    as: fc.constantFrom("owner" as const, "member" as const, "added" as const, "removed" as const)
  },
  wait: { milliseconds: fc.constantFrom(1, day, 7 * day) },
  // The instant at which a space can no longer be restored, the one before, and the one after.
  expire: { item: pick, milliseconds: fc.constantFrom(7 * day - 1, 7 * day, 7 * day + 1) },
  purge: {}
}

const weights: { readonly [K in keyof typeof kinds]?: number } = {
  createCollection: 5,
  createSpace: 5,
  move: 8,
  level: 3,
  share: 4
}

/** A step at random. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  ...Object.entries(kinds).map(([name, fields]) => ({
    weight: weights[name as keyof typeof kinds] ?? 2,
    arbitrary: fc.record({ by: pick, do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Step>
  }))
)

/** A story: its steps. */
export const story = (length: number): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc.array(step, { maxLength: length, size: "max" })
