/** Arbitraries for the choices of steps. They do not shrink: a scenario shrinks by removing steps, which is faster. */
import type { Role, RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import { type Item, spacesOf, type WorkspaceModel } from "../state/WorkspaceModel.ts"

/**
 * Generates one of several names, each with a relative frequency.
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

/**
 * Generates a number that selects one of the resources that exist when the step runs.
 *
 * @example
 * const space = nthOf(spacesOf(context.model), given.space)
 */
export const nth: fc.Arbitrary<number> = fc.noShrink(fc.nat({ max: 1000 }))

/** Returns the item at index `n` modulo the length of the list; undefined if the list is empty. */
export const nthOf = <A>(list: ReadonlyArray<A>, n: number): A | undefined =>
  list[n % Math.max(1, list.length)]

/** A category, and a number that selects one of the resources of the category. */
export interface Choice<Name extends string> {
  /** The category. */
  readonly which: Name
  /** Selects a resource of the category: see `nthOf`. */
  readonly nth: number
}

/** Generates a category with the given frequencies, and a number that selects one of its resources. */
export const chooseNth = <Name extends string>(
  weights: Readonly<Record<Name, number>>
): fc.Arbitrary<Choice<Name>> => fc.record({ which: choose(weights), nth })

/** The choice of the user who acts in a step. */
export interface ActorChoice {
  /** `permitted`: one of the users whose call can succeed, if the step resolves them. `anyone`: any user. */
  readonly actor: "permitted" | "anyone"
  /** Selects the user among these: see `nthOf`. */
  readonly user: number
}

/** The choices that every step has. */
export const actorChoice: { readonly [K in keyof ActorChoice]: fc.Arbitrary<ActorChoice[K]> } = {
  actor: choose({ permitted: 2, anyone: 1 }),
  user: nth
}

/** Generates a role. */
export const role: fc.Arbitrary<Role> = choose({
  read: 1,
  comment: 1,
  edit: 1,
  review: 1,
  create: 1,
  admin: 1
})
/** Generates a role, or null for a guest. */
export const roleOrGuest: fc.Arbitrary<RoleOrGuest> = fc.oneof(fc.constant(null), role)

/** Generates undefined in half of the cases. */
export const optional = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof(fc.constant(undefined), arbitrary)

/** Generates one of four titles: few enough that slugs conflict, and distinct as search terms. */
export const word: fc.Arbitrary<string> = fc.constantFrom("Otter", "Badger", "Heron", "Lynx")

/** The choice of a space: of the organization that the step is about, or of any. */
export type SpaceChoice = Choice<"ofOrganization" | "anywhere">
/** Generates a choice of a space. */
export const spaceChoice: fc.Arbitrary<SpaceChoice> = chooseNth({ ofOrganization: 6, anywhere: 1 })

/**
 * Resolves the choice of a space; undefined if no space exists. Falls back to all spaces if the organization has no
 * spaces.
 */
export const resolveSpace = (
  model: WorkspaceModel,
  organization: string,
  { which, nth }: SpaceChoice
): Item | undefined => {
  const spaces = spacesOf(model)
  const own = spaces.filter((space) => space.organization === organization)
  return nthOf(which === "anywhere" || own.length === 0 ? spaces : own, nth)
}

/** The choice of an organization: the one that owns a resource, or any of the scenario. */
export type OrganizationChoice = Choice<"owner" | "any">
/** Generates a choice of an organization. */
export const organizationChoice: fc.Arbitrary<OrganizationChoice> = chooseNth({ owner: 8, any: 1 })
