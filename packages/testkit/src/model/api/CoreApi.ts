/** A workspace through core, for scenarios: over any store, with a clock that the scenario moves. */
import {
  Administration,
  BackgroundWork,
  CurrentUser,
  Ids,
  members,
  type OperationDefinition,
  OrganizationId,
  Permissions,
  type RecordsAdapter,
  type Role,
  Spaces,
  SystemGrant,
  Teams,
  UploadAddress,
  UploadKey,
  Uploads,
  UserId,
  uploadsPath,
  Where,
  Workspace
} from "@lectern/core"
import { Cause, Clock, type Context, Effect, Exit, Layer, ManagedRuntime, Option, Stream } from "effect"
import { type MovableClock, makeMovableClock } from "./MovableClock.ts"
import { services } from "./services.ts"
import type { Call, Outcome, WorkspaceApi } from "./WorkspaceApi.ts"

type Services = Layer.Success<typeof Workspace.layer> | Ids

/** Runs an effect on behalf of an administrator of an organization. */
const byAdministrator = <A, E, R>(organization: string, effect: Effect.Effect<A, E, R | CurrentUser>) =>
  Effect.gen(function* () {
    const { records } = yield* SystemGrant.make("Finds an administrator, who prepares a scenario.")
    const found = yield* records.first(members, {
      where: Where.and(Where.eq("organization", OrganizationId.make(organization)), Where.eq("role", "admin"))
    })
    return yield* CurrentUser.provide(found!.user)(effect)
  })

/** Converts an exit to an outcome. Throws for defects and interruptions, which no scenario expects. */
const outcomeOf = (exit: Exit.Exit<unknown, unknown>): Outcome => {
  if (Exit.isSuccess(exit)) return { ok: true, value: exit.value }
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string") {
    return { ok: false, error: error._tag }
  }
  throw new Error(Cause.pretty(exit.cause))
}

/** An operation of any service. */
interface AnyOperation {
  (parameters: object): Effect.Effect<unknown, unknown, CurrentUser>
  readonly definition: OperationDefinition
}

/** Names the positional arguments of a call by the parameters of its operation, in order. */
const toParameters = (
  { name, parameters }: OperationDefinition,
  args: ReadonlyArray<unknown>
): Readonly<Record<string, unknown>> => {
  if (args.length > parameters.length) {
    throw new Error(`${name} has ${parameters.length} parameters, and the call has ${args.length} arguments.`)
  }
  return Object.fromEntries(args.map((value, index) => [parameters[index], value]))
}

/** Sends a file to the signed URL of an upload, as the HTTP server does with the body of a request. */
const receive = Effect.fnUntraced(function* (url: string, bytes: Uint8Array) {
  const uploads = yield* Uploads
  const { pathname, searchParams } = new URL(url)
  const key = pathname.slice(pathname.indexOf(uploadsPath) + uploadsPath.length)
  const exit = yield* Effect.exit(
    uploads.receive({
      upload: UploadAddress.make({
        key: UploadKey.make(decodeURIComponent(key)),
        expires: Number(searchParams.get("expires"))
      }),
      signature: searchParams.get("signature") ?? "",
      contentLength: bytes.length,
      digest: undefined,
      read: () => Stream.succeed(bytes)
    })
  )
  return Exit.isSuccess(exit) && !exit.value ? ({ ok: false, error: "NotFound" } as const) : outcomeOf(exit)
})

/** A workspace through core. */
export interface CoreApi extends Omit<Required<WorkspaceApi>, "prepare"> {
  /** Shares content with a user or a team. Replaces an existing grant. */
  readonly grant: (grant: {
    readonly organization: string
    readonly kind: "collection" | "space" | "site"
    readonly target: string
    readonly user?: string
    readonly team?: string
    readonly role: Role
  }) => Promise<void>
  /** Runs effects with the services of the workspace. */
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, unknown>
  /** The clock of the workspace, which `advance` moves. */
  readonly clock: Clock.Clock
  /** Closes the workspace and its store. */
  readonly close: () => Promise<void>
}

/** Opens a workspace over a store, with a clock of its own by default. Call `close` when done. */
export const makeCoreApi = (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  time: MovableClock = makeMovableClock()
): CoreApi => {
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
          const operation = Reflect.get(service, method) as AnyOperation | undefined
          if (operation === undefined) throw new Error(`The service ${name} has no operation ${method}.`)
          const effect = operation(toParameters(operation.definition, args))
          return outcomeOf(yield* Effect.exit(CurrentUser.provide(UserId.make(user))(effect)))
        })
      ),
    send: (url, bytes) => run(receive(url, bytes)),
    createUser: (email) =>
      run(
        Effect.flatMap(Administration, (administration) => administration.createUser({ input: { email } }))
      ),
    createOrganization: (title, administrator) =>
      run(
        Effect.flatMap(Administration, (administration) =>
          administration.createOrganization({ administrator, input: { title } })
        )
      ),
    setMember: (organization, user, role) =>
      run(
        Effect.gen(function* () {
          const administration = yield* Administration
          return outcomeOf(
            yield* Effect.exit(administration.setMember({ organization, user, input: { role } }))
          )
        })
      ),
    createTeam: (organization, users) =>
      run(
        byAdministrator(
          organization,
          Effect.gen(function* () {
            const teams = yield* Teams
            return (yield* teams.create({ organization, input: { title: "Team", members: users } })).id
          })
        )
      ),
    grant: ({ organization, kind, target, user, team, role }) =>
      run(
        byAdministrator(
          organization,
          Effect.gen(function* () {
            const permissions = yield* Permissions
            const content =
              kind === "site"
                ? { organization, site: target }
                : kind === "space"
                  ? { space: target }
                  : { collection: target }
            if (user !== undefined) yield* permissions.updateUser({ content, user, input: { role } })
            if (team !== undefined) yield* permissions.updateTeam({ content, team, input: { role } })
          })
        )
      ),
    purge: () => run(Effect.flatMap(Spaces, (spaces) => spaces.purge)),
    work: () => run(Effect.flatMap(BackgroundWork, (work) => Effect.asVoid(work.drain)))
  }
}
