/** Arbitraries of the choices of steps. None of them shrinks: a scenario shrinks by losing steps, which is faster. */
import type { Role, RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import { type Item, spacesOf, type WorkspaceModel } from "../model/WorkspaceModel.ts"

/**
 * Chooses one of several names, each with a weight.
 *
 * @example
 * choose({ validTitle: 8, emptyTitle: 1, tooLongTitle: 1 })
 */
export const choose = <Name extends string>(weights: Readonly<Record<Name, number>>): fc.Arbitrary<Name> =>
  fc.noShrink(
    fc.oneof(
      ...Object.entries<number>(weights).map(([name, weight]) => ({
        weight,
        arbitrary: fc.constant(name as Name)
      }))
    )
  )

/** Selects one of the things that exist when the step runs: `nthOf(things, n)`. */
export const nth: fc.Arbitrary<number> = fc.noShrink(fc.nat({ max: 1000 }))

/** The item of a list that a number selects, modulo its length; undefined if the list is empty. */
export const nthOf = <A>(list: ReadonlyArray<A>, n: number): A | undefined =>
  list[n % Math.max(1, list.length)]

/** A named choice together with a number that selects one of the things that the name stands for. */
export interface Choice<Name extends string> {
  readonly which: Name
  readonly nth: number
}

/** Chooses a name, and one of the things that it stands for. */
export const chooseNth = <Name extends string>(
  weights: Readonly<Record<Name, number>>
): fc.Arbitrary<Choice<Name>> => fc.record({ which: choose(weights), nth })

/**
 * Who acts in a step. `permitted`: the nth of the users who may do it, as most steps would be refused otherwise.
 * `anyone`: the nth of all users.
 */
export interface ActorChoice {
  readonly actor: "permitted" | "anyone"
  readonly user: number
}

/** The choices that every step has. */
export const actorChoice: { readonly [K in keyof ActorChoice]: fc.Arbitrary<ActorChoice[K]> } = {
  actor: choose({ permitted: 2, anyone: 1 }),
  user: nth
}

export const role: fc.Arbitrary<Role> = choose({
  read: 1,
  comment: 1,
  edit: 1,
  review: 1,
  create: 1,
  admin: 1
})
export const roleOrGuest: fc.Arbitrary<RoleOrGuest> = fc.oneof(fc.constant(null), role)

/** An arbitrary, or undefined half of the time. */
export const optional = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof(fc.constant(undefined), arbitrary)

/** Words that are distinct search terms, and that conflict as slugs. */
export const word: fc.Arbitrary<string> = fc.constantFrom("Otter", "Badger", "Heron", "Lynx")

/** A space of the organization that the step is about, or any space. */
export type SpaceChoice = Choice<"ofOrganization" | "anywhere">
export const spaceChoice: fc.Arbitrary<SpaceChoice> = chooseNth({ ofOrganization: 6, anywhere: 1 })

/** Resolves a space choice; undefined if there is no space. */
export const resolveSpace = (
  model: WorkspaceModel,
  organization: string,
  { which, nth }: SpaceChoice
): Item | undefined => {
  const spaces = spacesOf(model)
  const own = spaces.filter((space) => space.organization === organization)
  return nthOf(which === "anywhere" || own.length === 0 ? spaces : own, nth)
}

/** The organization that a thing belongs to, or the nth organization of the scenario. */
export type OrganizationChoice = Choice<"owner" | "any">
export const organizationChoice: fc.Arbitrary<OrganizationChoice> = chooseNth({ owner: 8, any: 1 })
