/**
 * Creates grants. Only this package imports this module: `npm run check` rejects every other import. A feature therefore
 * cannot create a grant, and receives it from an authorization.
 */

import { type Records, Where } from "@lectern/kernel"
import { scopedRecords } from "@lectern/kernel/scopedRecords"
import { type MemberRow, members } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import type { Identity } from "../CurrentUser.ts"
import type { GrantedReader, GrantedRecords } from "./Grant.ts"
import { joinReaches, type Reach, scopeOf } from "./Reach.ts"

/** The permission to reach protected rows, which an authorization grants for an action. */
export class Grant {
  readonly #store: Records["Service"]
  readonly #reach: Reach
  #records: GrantedRecords | undefined

  private constructor(store: Records["Service"], reach: Reach) {
    this.#store = store
    this.#reach = reach
  }

  /** The records that the grant reaches, to read. The body of a command receives writable records instead. */
  get records(): GrantedReader {
    return Grant.writableRecords(this)
  }

  /** Creates a grant with this reach. */
  static issue(this: void, store: Records["Service"], reach: Reach): Grant {
    return new Grant(store, reach)
  }

  /** Returns the organizations whose rows a grant reaches, except through the memberships of a user. */
  static organizationsOf(this: void, grant: Grant): ReadonlyArray<OrganizationId> {
    return grant.#reach?.organizations ?? []
  }

  /** Returns the records of a grant, to read and to write. */
  static writableRecords(this: void, grant: Grant): GrantedRecords {
    grant.#records ??= Object.assign(
      grant.#store[scopedRecords](
        scopeOf(grant.#reach, (column, user) => inMemberships(grant.#store, column, user))
      ),
      {
        with: (other: Grant) =>
          Grant.writableRecords(new Grant(grant.#store, joinReaches(grant.#reach, other.#reach)))
      }
    )
    return grant.#records
  }
}

/** The organizations that a grant names; none for a grant of every row, or of a user's own rows. */
export const organizationsOf = Grant.organizationsOf

/** Returns the condition that a column names an organization that a user is a member of. */
const inMemberships = (store: Records["Service"], column: string, user: UserId): Where.AnyWhere =>
  store[scopedRecords](undefined).inSelect<
    Readonly<Record<string, OrganizationId>>,
    string,
    typeof members,
    "organization"
  >(column, members, "organization", Where.eq<MemberRow, "user">("user", user))

/** Creates the grant of the rows of an organization. */
export const organizationGrant = (store: Records["Service"], organization: OrganizationId): Grant =>
  Grant.issue(store, { organizations: [organization], user: undefined })

/** Creates the grant of a user's own rows, and of the rows of the organizations that they are a member of. */
export const userGrant = (store: Records["Service"], user: Identity): Grant =>
  Grant.issue(store, { organizations: [], user })

/** Creates the grant of every row. */
export const unrestrictedGrant = (store: Records["Service"]): Grant => Grant.issue(store, undefined)

/** The records of a grant, to read and to write: for the bodies of commands. */
export const writableRecords = Grant.writableRecords
