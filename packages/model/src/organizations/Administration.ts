/** The input and the results of operations of the operator. */

import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { secretOf } from "../schema/secretOf.ts"
import { Email, type UserId } from "../users/User.ts"
import { CreateOrganization, type OrganizationId } from "./Organization.ts"

/** The first organization of a new workspace, and its administrator. */
export class Bootstrap extends resource<Bootstrap>()(
  Schema.Struct({
    /** The name of the organization, 2 to 255 characters. Leading and trailing whitespace is removed. */
    organization: CreateOrganization.fields.title,
    /** The e-mail address of the administrator. */
    email: Email,
    /** The API token of the administrator, at least 32 characters; a generated one by default. */
    secret: Schema.optionalKey(secretOf(Schema.String))
  })
) {}

/** A workspace that `bootstrap` has set up. */
export interface Bootstrapped {
  /** The id of the administrator. */
  readonly administrator: UserId
  /** The id of the organization. */
  readonly organization: OrganizationId
  /** The API token of the administrator. It cannot be read again. */
  readonly secret: Redacted.Redacted<string>
}
