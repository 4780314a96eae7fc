/** Random operations on members, organizations and OpenAPI specs, and background work. */
import {
  BackgroundWork,
  Content,
  CurrentUser,
  Members,
  OpenApiSpecs,
  Organizations,
  Spaces,
  Teams,
  Users
} from "@lectern/core"
import * as fc from "fast-check"
import { index, oneIn, operation, PassTime, rowAt } from "./choices.ts"

/** Longer than the retention of spaces in the trash, in milliseconds. */
const overAWeek = 8 * 24 * 60 * 60 * 1000

export const setDefaultContent = operation({ site: index }, function* (choices) {
  const site = yield* rowAt("sites", choices.site)
  const defaultContent = { type: "site", site: site.id }
  yield* (yield* Organizations).update({
    organization: site.organization,
    input: { defaultContent }
  } as never)
})

export const removeMember = operation({ member: index }, function* (choices) {
  const member = yield* rowAt("members", choices.member)
  yield* (yield* Members).remove({ organization: member.organization as string, user: member.user as string })
})

export const deleteTeam = operation({ team: index }, function* (choices) {
  const team = yield* rowAt("teams", choices.team)
  yield* (yield* Teams).remove({ organization: team.organization as string, team: team.id })
})

export const createTeam = operation({ member: index, isEmpty: oneIn(2) }, function* (choices) {
  const member = yield* rowAt("members", choices.member)
  const members = choices.isEmpty ? [] : [member.user]
  yield* (yield* Teams).create({
    organization: member.organization,
    input: { title: "Team", members }
  } as never)
})

export const enforceSso = operation(
  { organization: index, sso: oneIn(2), hasNoDomains: oneIn(3) },
  function* ({ organization, sso, hasNoDomains }) {
    const { id } = yield* rowAt("organizations", organization)
    yield* (yield* Organizations).update({
      organization: id,
      input: { sso, emailDomains: hasNoDomains ? [] : ["example.com"] }
    })
  }
)

export const changeOwnName = operation({ number: fc.nat(1000) }, function* ({ number }) {
  const { id } = yield* CurrentUser
  yield* (yield* Users).update({ user: id, input: { displayName: `Name ${number}` } })
})

export const putSpecification = operation(
  { organization: index, isInvalid: oneIn(3), number: fc.nat(1000) },
  function* ({ organization, isInvalid, number }) {
    const { id } = yield* rowAt("organizations", organization)
    const text = isInvalid
      ? "nonsense: ["
      : JSON.stringify({ openapi: "3.1.0", info: { title: `T${number}`, version: "1" }, paths: {} })
    yield* (yield* OpenApiSpecs).createOrUpdate({
      organization: id,
      slug: "spec",
      input: { source: { text } }
    })
  }
)

export const runJobs = operation({}, function* () {
  yield* (yield* BackgroundWork).drain
})

/** Advances the clock by more than a week, purges expired spaces, and garbage-collects their blobs. */
export const purgeAfterAWeek = operation({}, function* () {
  yield* (yield* PassTime)(overAWeek)
  yield* (yield* Spaces).purge
  yield* (yield* Content).sweep
})
