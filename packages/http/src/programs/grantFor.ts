/** Authorizes a program for a person, and stores the grant of the library under the id of the authorization. */
import {
  type Identity,
  type LecternError,
  oauthDigest,
  type ProgramGrantsService,
  type StorageUnavailable
} from "@lectern/core"
import { Effect } from "effect"
import type { Provider } from "oidc-provider"
import { receiverOf } from "./clientMetadata.ts"
import type { Person } from "./person.ts"
import type { FindResource, ProgramResource } from "./resources.ts"

/** How long a program remains registered after its authorizations, in milliseconds: 30 days. */
const idleProgramMillis = 30 * 24 * 60 * 60 * 1_000

/** The request of a program, as the library has validated it. */
export interface RequestedGrant {
  readonly program: { readonly id: string; readonly name: string; readonly redirectUri: string | undefined }
  readonly resources: ReadonlyArray<ProgramResource>
  readonly permissions: ReadonlyArray<string>
}

const stringsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : Array.isArray(value)
      ? value.filter((one): one is string => typeof one === "string")
      : []

/** Returns the resources and permissions that the parameters of a request name; undefined if a resource does not exist anymore. */
export const requestedGrant = Effect.fnUntraced(function* (
  { resource, scope, redirect_uri: redirectUri, client_id: id }: Readonly<Record<string, unknown>>,
  name: string,
  findResource: FindResource
): Effect.fn.Return<RequestedGrant | undefined, StorageUnavailable> {
  const found = yield* Effect.forEach(stringsOf(resource), findResource)
  const resources = found.filter((one) => one !== undefined)
  const permitted = new Set(resources.flatMap(({ permissions }) => permissions))
  const permissions = (stringsOf(scope)[0] ?? "").split(" ").filter((one) => permitted.has(one))
  if (resources.length === 0 || resources.length < found.length || permissions.length === 0) return undefined
  return {
    program: { id: String(id), name, redirectUri: stringsOf(redirectUri)[0] },
    resources,
    permissions
  }
})

/** Returns the only site that a grant is for; undefined if it is also for another resource. */
export const siteOf = ({ resources }: RequestedGrant): ProgramResource["site"] =>
  resources.length === 1 ? resources[0]?.site : undefined

/** Returns the name under which a person finds the program again: with the place that it returns to, which no other program can choose. */
const authorizationName = ({ name, redirectUri }: RequestedGrant["program"]): string => {
  if (redirectUri === undefined) return name
  const receiver = receiverOf(redirectUri)
  const place = receiver === "loopback" ? "localhost" : "host" in receiver ? receiver.host : receiver.scheme
  return `${name} (${place})`.slice(0, 200)
}

/** Authorizes a program, and returns the id of the authorization. */
export const grantFor = Effect.fnUntraced(function* (
  provider: Provider,
  grants: ProgramGrantsService,
  person: Person,
  identity: Identity,
  requested: RequestedGrant
): Effect.fn.Return<string, LecternError> {
  const { program, resources, permissions } = requested
  const site = siteOf(requested)
  const authorized = yield* person.authorize(identity, {
    program: program.id,
    name: authorizationName(program),
    permissions,
    ...(site === undefined ? {} : { site })
  })
  const grant = new provider.Grant({ accountId: identity.id, clientId: program.id })
  grant.jti = authorized.id
  for (const { url, permissions: ofResource } of resources) {
    grant.addResourceScope(url, permissions.filter((one) => ofResource.includes(one)).join(" "))
  }
  yield* Effect.promise(() => grant.save())
  const end = Date.parse(authorized.expiresAt) + idleProgramMillis
  yield* grants.records.extend("Client", oauthDigest(program.id), end)
  return authorized.id
})
