/** Operations of users who are not members yet: the organization that a link leads to, and joining by the domain of the address. */

import {
  type AccessError,
  type Authorization,
  type Command,
  CurrentUser,
  canActIn,
  Locks,
  Operations,
  OrganizationQuotas,
  type Query,
  requireQuota,
  SystemGrant
} from "@lectern/access"
import { Ids, type Records } from "@lectern/kernel"
import {
  invites,
  isInUse,
  type MemberRow,
  members,
  type OrganizationRow,
  organizations,
  sessions,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { Forbidden, NotFound } from "@lectern/model/errors"
import { type JoinedOrganization, JoinLink, OrganizationId } from "@lectern/model/organizations"
import { Context, Effect, Layer } from "effect"
import { insertMember, membershipDisabled } from "./memberships.ts"

/** Returns the path of the page on which users join an organization, below the URL of the workspace and without its leading slash. */
export const joinPath = (organization: string, invite?: string): string =>
  `~/join/${organization}${invite === undefined ? "" : `/${invite}`}`

/** The organization that a user can join, for the page that offers it. */
export interface JoinOffer {
  /** The name of the organization. */
  readonly title: string
  /** The address of the account that would join. */
  readonly email: string
  /** Whether the user is a member already. */
  readonly isMember: boolean
}

/** Operations of users who are not members yet, on behalf of the `CurrentUser`. */
export interface JoinsOperations {
  /**
   * Returns the organization of an invite link, or that users of the domain of the caller can join. Fails with `NotFound` without
   * such a link or domain.
   */
  readonly get: Query<{ organization: OrganizationId; input?: JoinLink }, JoinOffer, NotFound>
  /**
   * Makes the caller a member with the default role, because the address of the account is in an e-mail domain of the
   * organization. Fails with `Forbidden` unless the session has proved the address: it was started by a link in an e-mail, or by
   * an OpenID Connect provider of the instance.
   */
  readonly joinByDomain: Command<{ organization: OrganizationId }, JoinedOrganization, AccessError>
}

/** An organization that a user can join. */
interface Joinable {
  readonly owner: OrganizationRow
  readonly user: UserRow
  readonly member: MemberRow | undefined
}

const unprovenAddress = new Forbidden({
  reason: "FreshSignInRequired",
  message: "Joining by the domain of your address requires a session that was started by a link in an e-mail."
})

/** Whether users of a domain can join an organization, and an address is in the domain. */
export const admitsDomainOf = (
  { domainJoin, emailDomains, sso }: Pick<OrganizationRow, "domainJoin" | "emailDomains" | "sso">,
  email: string
): boolean => domainJoin && !sso && emailDomains.includes(email.slice(email.lastIndexOf("@") + 1))

const makeJoins = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const ids = yield* Ids
  const quotas = yield* OrganizationQuotas
  const { grant, records } = yield* SystemGrant.make("Opens organizations to users before they are members.")

  const find = Effect.fnUntraced(function* (organization: OrganizationId) {
    const current = yield* CurrentUser
    const [owner, [user, member]] = yield* records.zipConcurrent(
      records.get(organizations, { id: organization }),
      records.zipConcurrent(
        records.get(users, { id: current.id }),
        records.get(members, { organization, user: current.id })
      )
    )
    if (!isInUse(owner) || user === undefined || !canActIn(current, organization)) return undefined
    return { owner, user, member }
  })

  const allowOffered: Authorization<
    { readonly organization: OrganizationId; readonly input?: JoinLink },
    Joinable,
    NotFound
  > = {
    rule: { kind: "signedIn", why: "an invite link whose id the caller has, or the domain of their address" },
    check: Effect.fnUntraced(function* ({ organization, input }) {
      const found = yield* find(organization)
      const id = input?.invite
      const invite = id === undefined ? undefined : yield* records.get(invites, { id }, ["organization"])
      const isOffered =
        found !== undefined &&
        (id === undefined
          ? admitsDomainOf(found.owner, found.user.email)
          : invite?.organization === organization)
      return isOffered ? { grant, ...found } : yield* NotFound.of("invite")
    })
  }

  /** Fails with `Forbidden` if the session does not prove that the user reads the mailbox of the account. */
  const requireProvenAddress = Effect.gen(function* () {
    const { signIn } = yield* CurrentUser
    const session = signIn === undefined ? undefined : yield* records.get(sessions, { id: signIn.id })
    const isProven =
      session?.method === "email" || (session?.method === "oidc" && session.organization === null)
    if (!isProven) return yield* unprovenAddress
  })

  return {
    get: query(
      "Joins.get",
      { parameters: { organization: OrganizationId, input: JoinLink }, authorize: allowOffered },
      function* (_, { owner, user, member }) {
        return { title: owner.title, email: user.email, isMember: member !== undefined }
      }
    ),

    joinByDomain: command(
      "Joins.joinByDomain",
      {
        parameters: { organization: OrganizationId },
        authorize: allowOffered,
        locks: Locks.organization
      },
      function* ({ organization }, { owner, user, member, records }) {
        if (member?.disabled === true) return yield* membershipDisabled
        if (member !== undefined) return {}
        yield* requireProvenAddress
        yield* requireQuota(quotas, records, organization, "members", 1)
        yield* insertMember(records, ids, owner, user, { role: owner.defaultRole })
        return {}
      }
    )
  } satisfies JoinsOperations
})

/** Operations of users who are not members yet: see {@link JoinsOperations}. */
export class Joins extends Context.Service<Joins, JoinsOperations>()("@lectern/core/Joins") {
  static readonly layer: Layer.Layer<Joins, never, Records | Operations | Ids> = Layer.effect(
    Joins,
    makeJoins
  )
}
