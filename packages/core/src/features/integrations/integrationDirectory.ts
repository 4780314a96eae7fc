/** The integrations of all organizations, for operations on integrations. */

import { type GrantedReader, SystemGrant } from "@lectern/access"
import { encodeMember, makeLinkBase, readPage, Where } from "@lectern/kernel"
import { type IntegrationRow, integrations } from "@lectern/kernel/tables"
import type { ListIntegrations } from "@lectern/model/integrations"
import { folded } from "@lectern/model/schema"
import { Effect } from "effect"
import { presentIntegrations } from "./IntegrationView.ts"
import { integrationAuthorizations, type Memberships } from "./integrationAuthorizations.ts"

/** Matches integrations that match every given filter. */
const conditionOf = (input: ListIntegrations): Where.Where<IntegrationRow> =>
  Where.and<IntegrationRow>(
    input.search === undefined ? Where.all : Where.contains("folded", folded(input.search)),
    input.category === undefined ? Where.all : Where.contains("categories", encodeMember(input.category)),
    input.scope === undefined ? Where.all : Where.contains("scopes", encodeMember(input.scope)),
    input.blockDomain === undefined
      ? Where.all
      : Where.contains("blockDomains", encodeMember(input.blockDomain.toLowerCase())),
    input.blocks === undefined ? Where.all : Where.eq("hasBlocks", input.blocks),
    input.contentSources === undefined ? Where.all : Where.eq("hasContentSources", input.contentSources),
    input.owner === undefined ? Where.all : Where.eq("organization", input.owner)
  )

/** Creates the grant on integrations of other organizations, with the authorization of an action on one. */
export const makeDirectory = Effect.gen(function* () {
  const directory = yield* SystemGrant.make("Shows integrations to organizations other than their owner.")
  const { integration: allowIntegration } = integrationAuthorizations(directory)

  return { directory, allowIntegration }
})

/** Creates the functions that present integrations to a caller. */
export const makePresenters = Effect.gen(function* () {
  const linkBase = yield* makeLinkBase

  const toIntegration = Effect.fnUntraced(function* (
    records: GrantedReader,
    row: IntegrationRow,
    memberships: Memberships
  ) {
    return (yield* presentIntegrations(records, yield* linkBase, memberships, [row]))[0]!
  })

  /** Reads a page of the integrations that match `where` and the filters of the input. `name` identifies the list. */
  const readIntegrations = (
    records: GrantedReader,
    memberships: Memberships,
    input: ListIntegrations,
    { name, where }: { readonly name: ReadonlyArray<string>; readonly where: Where.Where<IntegrationRow> }
  ) => {
    const { page, limit, ...filters } = input
    return readPage(records, input, {
      table: integrations,
      list: [...name, filters],
      where: Where.and<IntegrationRow>(where, conditionOf(input)),
      orderBy: ["id"],
      direction: "desc",
      present: (rows) =>
        Effect.flatMap(linkBase, (base) => presentIntegrations(records, base, memberships, rows))
    })
  }

  return { toIntegration, readIntegrations }
})
