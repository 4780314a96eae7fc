/** The export and the erasure of a person's own data. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Email, type UserId } from "./User.ts"

/** The confirmation of an erasure. */
export class EraseAccount extends resource<EraseAccount>()(
  Schema.Struct({
    /** The e-mail address of the account, which the person types. */
    email: Email
  })
) {}

/** Entries of a person's data: at most 10,000, the oldest first. */
export interface OwnEntries<A> {
  /** The entries. */
  readonly items: ReadonlyArray<A>
  /** Whether there are more entries than the export contains. */
  readonly isCut: boolean
}

/** Everything that a server stores about a person. It contains neither secrets nor content of other people. */
export interface OwnData {
  /** The account. */
  readonly account: {
    readonly id: UserId
    readonly email: string
    readonly displayName: string
    readonly photoURL: string | null
    readonly createdAt: string
  }
  /** The memberships of organizations. */
  readonly memberships: OwnEntries<{
    readonly organization: string
    readonly title: string
    readonly role: string | null
    readonly joinedAt: string
    readonly lastSeenAt: string | null
  }>
  /** The teams that the person belongs to, by their ids. */
  readonly teams: OwnEntries<{ readonly team: string; readonly role: string }>
  /** The sessions, with their browsers and addresses. */
  readonly sessions: OwnEntries<{
    readonly method: string
    readonly userAgent: string | null
    readonly address: string | null
    readonly createdAt: string
    readonly lastUsedAt: string
  }>
  /** The API tokens, without their secrets. */
  readonly tokens: OwnEntries<{
    readonly label: string
    readonly createdAt: string
    readonly lastUsedAt: string | null
  }>
  /** The identities at OpenID Connect providers. */
  readonly identities: OwnEntries<{
    readonly provider: string
    readonly subject: string
    readonly createdAt: string
  }>
  /** The comments that the person has written. */
  readonly comments: OwnEntries<{
    readonly id: string
    readonly space: string
    readonly body: string
    readonly postedAt: string
  }>
  /** The replies that the person has written. */
  readonly replies: OwnEntries<{
    readonly id: string
    readonly comment: string
    readonly body: string
    readonly postedAt: string
  }>
  /** The change requests that the person has created. */
  readonly changeRequests: OwnEntries<{
    readonly id: string
    readonly space: string
    readonly subject: string
    readonly createdAt: string
  }>
}
