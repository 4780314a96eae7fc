/** Why a person can see a space or a collection: every source of a role. Pure functions. */
import type { DefaultLevel, Role } from "@lectern/client/fetch"
import { roles } from "../../data/roles.ts"

/** A space or a collection, with the grants on it. */
export interface AccessPlace {
  readonly id: string
  readonly title: string
  readonly defaultLevel: DefaultLevel
  /** The roles of users by their ids; `undefined` if the caller may not list them. */
  readonly users: ReadonlyMap<string, Role> | undefined
  /** The roles of teams by their ids. */
  readonly teams: ReadonlyMap<string, Role> | undefined
}

/** The person whom the question is about. */
export interface AccessPerson {
  readonly id: string
  /** The role in the organization; null for a guest. */
  readonly role: Role | null
  readonly disabled: boolean
  readonly teams: ReadonlyArray<{ readonly id: string; readonly title: string }>
}

/** A source of a role on the content. */
export type AccessReason =
  | { readonly kind: "administrator"; readonly role: Role }
  /** The default level of a place, or the role in the organization if all places inherit. */
  | { readonly kind: "default"; readonly role: Role; readonly place: string }
  | { readonly kind: "organization"; readonly role: Role }
  | { readonly kind: "user"; readonly role: Role; readonly place: string }
  | { readonly kind: "team"; readonly role: Role; readonly place: string; readonly team: string }

/** The highest role, and every source of a role, strongest first. */
export interface AccessExplanation {
  readonly role: Role | null
  readonly reasons: ReadonlyArray<AccessReason>
  /** The places whose grants the caller may not list. */
  readonly unknown: ReadonlyArray<string>
}

const rank = (role: Role): number => roles.indexOf(role)

const defaultReason = (
  person: AccessPerson,
  places: ReadonlyArray<AccessPlace>
): ReadonlyArray<AccessReason> => {
  // Default levels do not apply to guests.
  if (person.role === null) return []
  const decisive = places.find(({ defaultLevel }) => defaultLevel !== "inherit")
  if (decisive === undefined) return [{ kind: "organization", role: person.role }]
  const { defaultLevel, title } = decisive
  return defaultLevel === null || defaultLevel === "inherit"
    ? []
    : [{ kind: "default", role: defaultLevel, place: title }]
}

const grantedReasons = (person: AccessPerson, place: AccessPlace): ReadonlyArray<AccessReason> => {
  const own = place.users?.get(person.id)
  return [
    ...(own === undefined ? [] : [{ kind: "user" as const, role: own, place: place.title }]),
    ...person.teams.flatMap((team): ReadonlyArray<AccessReason> => {
      const role = place.teams?.get(team.id)
      return role === undefined ? [] : [{ kind: "team", role, place: place.title, team: team.title }]
    })
  ]
}

/** Explains the access of a person to the first place. The others are its collections, innermost first. */
export const explainAccess = (
  person: AccessPerson,
  places: ReadonlyArray<AccessPlace>
): AccessExplanation => {
  const unknown = places.filter(({ users }) => users === undefined).map(({ title }) => title)
  if (person.disabled) return { role: null, reasons: [], unknown: [] }
  const administrator: ReadonlyArray<AccessReason> =
    person.role === "admin" ? [{ kind: "administrator", role: "admin" }] : []
  const reasons = [
    ...administrator,
    ...(administrator.length > 0 ? [] : defaultReason(person, places)),
    ...places.flatMap((place) => grantedReasons(person, place))
  ].toSorted((one, other) => rank(other.role) - rank(one.role))
  return { role: reasons[0]?.role ?? null, reasons, unknown }
}
