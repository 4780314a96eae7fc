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
  
  yield* store.count(users, Where.all)
  const { records } = yield* SystemGrant.make("a test")
  yield* records.update(spaces, Where.eq("id", id), { title: "Otter" })
  yield* store.find(users, { where: Where.inSelect("id", users, "id", Where.all) })
  const get = query("Test.get", { parameters, authorize }, function* (_, { records }) {
    return yield* read(records)
  })
  const update = command("Test.update", { parameters, authorize }, function* (_, { records, grant }) {
    yield* read(grant.records)
    yield* records.update(spaces, Where.eq("id", id), { title: "Otter" })
  })
  return { query, command, store, parameters, authorize, read, imported }
})

export type Unused = Grant
