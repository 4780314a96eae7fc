/** A workspace reached through core, for stories: over any store, with a clock that the story moves. */
import {
  Administration,
  Collections,
  CurrentUser,
  grants,
  Ids,
  OrganizationId,
  Organizations,
  Records,
  type RecordsAdapter,
  Spaces,
  TeamId,
  teamMembers,
  teams,
  UserId,
  Where,
  Workspace
} from "@lectern/core"
import { Cause, Clock, type Context, Effect, Exit, Layer, ManagedRuntime, Option } from "effect"
import * as MovableClock from "./MovableClock.ts"
import type { Call, Outcome, WorkspaceApi } from "./WorkspaceApi.ts"

type Services = Layer.Success<typeof Workspace.layer> | Ids

const services = { collections: Collections, spaces: Spaces, organizations: Organizations } as const

/** What an effect of a service ended with. Anything but a value and a typed error is thrown: no story expects it. */
const outcomeOf = (exit: Exit.Exit<unknown, unknown>): Outcome => {
  if (Exit.isSuccess(exit)) return { ok: true, value: exit.value }
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string") {
    return { ok: false, error: error._tag }
  }
  throw new Error(Cause.pretty(exit.cause))
}

/** A workspace over a store, and the way to close it. */
export const make = (
  storage: Layer.Layer<RecordsAdapter, unknown>
): WorkspaceApi & {
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, unknown>
  readonly clock: Clock.Clock
  readonly close: () => Promise<void>
} => {
  const time = MovableClock.make()
  const runtime = ManagedRuntime.make(Layer.merge(Workspace.layer, Ids.layer).pipe(Layer.provide(storage)))
  const run = <A, E>(effect: Effect.Effect<A, E, Services>) =>
    runtime.runPromise(Effect.provideService(effect, Clock.Clock, time.clock))

  return {
    runtime,
    clock: time.clock,
    close: () => runtime.dispose(),
    now: time.now,
    advance: async (milliseconds) => time.advance(milliseconds),
    call: (user, [name, method, args]: Call) =>
      run(
        Effect.gen(function* () {
          const service = yield* Effect.service(services[name] as Context.Key<Services, object>)
          const member: unknown = Reflect.get(service, method)
          const effect = (member as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>)(
            ...args
          )
          return outcomeOf(yield* Effect.exit(CurrentUser.provide(UserId.make(user))(effect)))
        })
      ),
    createUser: (email) =>
      run(Effect.flatMap(Administration, (administration) => administration.createUser({ email }))),
    createOrganization: (title, administrator) =>
      run(
        Effect.flatMap(Administration, (administration) =>
          administration.createOrganization({ title }, UserId.make(administrator))
        )
      ),
    setMember: (organization, user, role) =>
      run(
        Effect.gen(function* () {
          const administration = yield* Administration
          return outcomeOf(yield* Effect.exit(administration.setMember(organization, user, role)))
        })
      ),
    createTeam: (organization, users) =>
      run(
        Effect.gen(function* () {
          const records = yield* Records
          const id = TeamId.make(yield* (yield* Ids).next)
          const owner = OrganizationId.make(organization)
          yield* records.insert(teams, {
            id,
            organization: owner,
            title: "Team",
            createdAt: "2026-01-01T00:00:00.000Z"
          })
          yield* records.insertMany(
            teamMembers,
            users.map((user) => ({
              team: id,
              user: UserId.make(user),
              organization: owner,
              role: "member" as const
            }))
          )
          return id
        })
      ),
    grant: ({ organization, kind, target, user, team, role }) =>
      run(
        Effect.gen(function* () {
          const records = yield* Records
          const to = {
            user: user === undefined ? null : UserId.make(user),
            team: team === undefined ? null : TeamId.make(team)
          }
          yield* records.remove(
            grants,
            Where.and(Where.eq("target", target), Where.is("user", to.user), Where.is("team", to.team))
          )
          const id = yield* (yield* Ids).next
          yield* records.insert(grants, {
            id,
            organization: OrganizationId.make(organization),
            kind,
            target,
            ...to,
            role
          })
        })
      ),
    purge: () => run(Effect.flatMap(Spaces, (spaces) => spaces.purge))
  }
}
