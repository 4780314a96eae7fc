/** Groups: teams of the organization. */
import { type ProvisionedTeam, ProvisionedTeams } from "@lectern/core"
import { Effect } from "effect"
import { groupDefinition, groupSchema } from "./attributes.ts"
import type { Document } from "./patch.ts"
import { badRequest } from "./scimError.ts"
import { findInput, metaOf, type ResourceStore, textOf } from "./store.ts"

const documentOf = ({ title, externalId, members = [] }: ProvisionedTeam): Document => ({
  ...(externalId === null ? {} : { externalId }),
  displayName: title,
  members: members.map((value) => ({ value }))
})

const membersOf = ({ members }: Document): ReadonlyArray<string> =>
  Array.isArray(members) ? members.map(({ value }: { readonly value: string }) => value) : []

const stateOf = (document: Document) => ({
  title: textOf(document, "displayName") ?? "",
  externalId: textOf(document, "externalId") ?? null
})

const missingName = Effect.fail(badRequest("invalidValue", "displayName is required."))

const indexed = {
  ids: ["id"],
  titles: ["displayName"],
  externalIds: ["externalId"],
  members: ["members.value"]
} as const

/** Creates the store of groups. */
export const makeGroups = Effect.map(
  ProvisionedTeams,
  (teams): ResourceStore<ProvisionedTeam> => ({
    definition: groupDefinition,
    indexed,
    find: (organization, { lookup, ...part }) =>
      Effect.map(
        teams.find({ organization, input: findInput(indexed, lookup, part) }),
        ({ total, teams: items }) => ({ total, items })
      ),
    present: (base, team) => ({
      schemas: [groupSchema],
      id: team.id,
      ...(team.externalId === null ? {} : { externalId: team.externalId }),
      displayName: team.title,
      ...(team.members === undefined
        ? {}
        : {
            members: team.members.map((value) => ({
              value,
              $ref: `${base}/Users/${encodeURIComponent(value)}`,
              type: "User"
            }))
          }),
      meta: metaOf(base, groupDefinition, team)
    }),
    documentOf,
    create: (organization, document) => {
      const state = stateOf(document)
      return state.title === ""
        ? missingName
        : teams.create({ organization, input: { ...state, members: membersOf(document) } })
    },
    replace: (organization, team, document) => {
      const state = stateOf(document)
      if (state.title === "") return missingName
      const wanted = membersOf(document)
      const [before, after] = [new Set<string>(team.members), new Set(wanted)]
      const input = {
        ...state,
        add: wanted.filter((user) => !before.has(user)),
        remove: [...before].filter((user) => !after.has(user)),
        ...(team.version === undefined ? {} : { expected: team.version })
      }
      return teams.update({ organization, team: team.id, input })
    },
    remove: (organization, team, expected) =>
      teams.remove({ organization, team, input: expected === undefined ? {} : { expected } })
  })
)
