/** Users: members of the organization. */
import { ProvisionedMembers, type ProvisionedUser, type UserProfile } from "@lectern/core"
import { Effect } from "effect"
import { userDefinition, userSchema } from "./attributes.ts"
import type { Document } from "./patch.ts"
import { badRequest } from "./scimError.ts"
import { findInput, metaOf, type ResourceStore, textOf } from "./store.ts"

const nameOf = ({ formatted, familyName, givenName }: UserProfile) => ({
  ...(formatted === undefined ? {} : { formatted }),
  ...(familyName === undefined ? {} : { familyName }),
  ...(givenName === undefined ? {} : { givenName })
})

const documentOf = ({ userName, externalId, profile, active }: ProvisionedUser): Document => {
  const name = nameOf(profile)
  return {
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(profile.displayName === undefined ? {} : { displayName: profile.displayName }),
    active
  }
}

const profileOf = (document: Document): UserProfile => {
  const displayName = textOf(document, "displayName")
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...nameOf((document.name ?? {}) as UserProfile)
  }
}

/** The maximum number of addresses that are examined. */
const maximumEmails = 20

/** Returns the address of a new user: the primary one, else that of work, else the first, else the user name. */
const emailOf = (body: unknown, userName: string): string | undefined => {
  const given = Object.entries(body as object).find(([key]) => key.toLowerCase() === "emails")?.[1] as unknown
  const emails = (Array.isArray(given) ? given.slice(0, maximumEmails) : []).flatMap((item: unknown) => {
    const { value, type, primary } = (item ?? {}) as Readonly<Record<string, unknown>>
    return typeof value === "string"
      ? [{ value, type, isPrimary: primary === true || primary === "true" }]
      : []
  })
  const chosen =
    emails.find(({ isPrimary }) => isPrimary) ?? emails.find(({ type }) => type === "work") ?? emails[0]
  return chosen?.value ?? (userName.includes("@") ? userName : undefined)
}

const stateOf = (document: Document, active: boolean) => ({
  userName: textOf(document, "userName") ?? "",
  externalId: textOf(document, "externalId") ?? null,
  profile: profileOf(document),
  active: typeof document.active === "boolean" ? document.active : active
})

const missingName = Effect.fail(badRequest("invalidValue", "userName is required."))

const indexed = {
  ids: ["id"],
  names: ["userName", "emails.value"],
  externalIds: ["externalId"]
} as const

/** Creates the store of users. */
export const makeUsers = Effect.map(
  ProvisionedMembers,
  (members): ResourceStore<ProvisionedUser> => ({
    definition: userDefinition,
    indexed,
    find: (organization, { lookup, withMembers: _, ...part }) =>
      Effect.map(
        members.find({ organization, input: findInput(indexed, lookup, part) }),
        ({ total, users: items }) => ({ total, items })
      ),
    present: (base, user) => ({
      schemas: [userSchema],
      id: user.id,
      ...documentOf(user),
      emails: [{ value: user.email, type: "work", primary: true }],
      meta: metaOf(base, userDefinition, user)
    }),
    documentOf,
    create: (organization, document, body) => {
      const state = stateOf(document, true)
      const email = emailOf(body, state.userName)
      if (state.userName === "") return missingName
      return email === undefined
        ? Effect.fail(badRequest("invalidValue", "emails must have an address, or userName must be one."))
        : members.create({ organization, input: { ...state, email } })
    },
    replace: (organization, user, document) => {
      const state = stateOf(document, user.active)
      if (state.userName === "") return missingName
      const expected = user.version
      return members.update({ organization, user: user.id, input: { ...state, expected } })
    },
    remove: (organization, user, expected) =>
      members.remove({ organization, user, input: expected === undefined ? {} : { expected } })
  })
)
