/** The tables `sessions`, `signInLinks` and `signedInUsers`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { IdentityProviderId, SessionId, SignInMethod } from "@lectern/model/sessions"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { users } from "../users/userTable.ts"

const sessionColumns = {
  id: Table.text<SessionId>(),
  user: Table.text<UserId>(),
  /** The organization that the session is limited to; null for all organizations of the user. */
  organization: Table.nullable(Table.text<OrganizationId>()),
  /** The identity provider of the organization by which the user has signed in; null for other sign-ins. */
  provider: Table.nullable(Table.text<IdentityProviderId>()),
  method: Table.text<SignInMethod>(),
  /** SHA-256 of the secret, in hexadecimal. */
  digest: Table.text(),
  /** The digest of the former secret, which requests that have started before a rotation have; null if it is not set. */
  formerDigest: Table.nullable(Table.text()),
  formerExpiresAt: Table.nullable(Table.text()),
  /** Whether the secret is replaced by the next request, because the rights of the user have changed. */
  rotationDue: Table.boolean(),
  userAgent: Table.nullable(Table.text()),
  address: Table.nullable(Table.text()),
  createdAt: Table.text(),
  authenticatedAt: Table.text(),
  /** When the session has verified a second factor; null for never. */
  verifiedAt: Table.nullable(Table.text()),
  lastUsedAt: Table.text(),
  /** The end of the session, also if it is in use. */
  expiresAt: Table.text(),
  /** The OpenID Connect provider at which the session ends too, with its ID token, encrypted: see {@link logoutPlace}. */
  logout: Table.nullable(Table.text())
}

/** A row of the table `sessions`. */
export interface SessionRow extends Table.RowOf<typeof sessionColumns> {}

/** The table of sessions. A session that has ended is removed. */
export const sessions: Table.ProtectedTable<"sessions", SessionRow, "id"> = Table.makeProtected("sessions", {
  tenant: null,
  owner: "user",
  columns: sessionColumns,
  locking: Table.withoutLocks,
  key: ["id"],
  unique: [["digest"], ["formerDigest"]],
  references: {
    user: { table: () => users, onRemove: "cascade" },
    organization: { table: () => organizations, onRemove: "cascade" }
  },
  indexes: [["user", "id"], ["organization"], ["provider"], ["expiresAt"], ["lastUsedAt"]]
})

/** The place of the data for a logout, which its encryption authenticates. */
export const logoutPlace = (session: string): string => `session ${session} logout`

const linkColumns = {
  /** SHA-256 of the secret, in hexadecimal. */
  digest: Table.text(),
  user: Table.text<UserId>(),
  method: Table.text<SignInMethod>(),
  /** The organization that the session is limited to; null for all organizations of the user. */
  organization: Table.nullable(Table.text<OrganizationId>()),
  /** The identity provider of the organization that has authenticated the user; null for other links. */
  provider: Table.nullable(Table.text<IdentityProviderId>()),
  /** SHA-256 of the secret of the browser that started the sign-in, which can use the link without a click; null for none. */
  browser: Table.nullable(Table.text()),
  /** The organization whose administrators can see the link: it signs in only an account that was never used. Null for others. */
  firstSignInOf: Table.nullable(Table.text<OrganizationId>()),
  createdAt: Table.text(),
  expiresAt: Table.text()
}

/** A row of the table `signInLinks`. */
export interface SignInLinkRow extends Table.RowOf<typeof linkColumns> {}

/** The table of one-time links that sign a user in. A link that was used is removed. */
export const signInLinks: Table.ProtectedTable<"signInLinks", SignInLinkRow, "digest"> = Table.makeProtected(
  "signInLinks",
  {
    tenant: null,
    owner: "user",
    columns: linkColumns,
    locking: Table.withoutLocks,
    key: ["digest"],
    references: {
      user: { table: () => users, onRemove: "cascade" },
      organization: { table: () => organizations, onRemove: "cascade" },
      firstSignInOf: { table: () => organizations, onRemove: "cascade" }
    },
    indexes: [["user"], ["organization"], ["provider"], ["firstSignInOf"], ["expiresAt"]]
  }
)

const signedInColumns = { user: Table.text<UserId>(), firstAt: Table.text() }

/** A row of the table `signedInUsers`. */
export interface SignedInUserRow extends Table.RowOf<typeof signedInColumns> {}

/** The users who have signed in at least once. */
export const signedInUsers: Table.ProtectedTable<"signedInUsers", SignedInUserRow, "user"> =
  Table.makeProtected("signedInUsers", {
    tenant: null,
    owner: "user",
    columns: signedInColumns,
    locking: Table.withoutLocks,
    key: ["user"],
    references: { user: { table: () => users, onRemove: "cascade" } },
    indexes: []
  })
