import {
  type Grant, type GrantedReader, Operations, OrganizationId, Records, SpaceId, SystemGrant, spaces, users, Where
} from "@lectern/core"
import { Effect } from "effect"

export const program = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const store = yield* Records
  const id = SpaceId.make("space")
  const parameters = { organization: OrganizationId }
  const authorize = allow.organization("view")
  const read = (records: GrantedReader) => records.get(spaces, { id })
  const imported = { SystemGrant, users, Where }
  query("Test.get", { parameters }, function* () {})
  return { query, command, store, parameters, authorize, read, imported }
})

export type Unused = Grant
