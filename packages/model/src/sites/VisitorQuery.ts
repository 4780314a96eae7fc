/** The credentials of a visitor of a site. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"

/** The maximum length of a token in characters. It bounds the claims that each condition evaluates. */
const maximumTokenLength = 8192

/** The credentials of a visitor of a site: the key of a share link, a visitor token, both or none. */
export class VisitorQuery extends resource<VisitorQuery>()(
  Schema.Struct({
    /** The key of a share link of the site: at most 255 characters. */
    shareKey: Schema.optionalKey(text({ max: 255 })),
    /** A JWT that is signed with the private key of the site (HS256) and that expires: at most 8,192 characters. */
    visitorAuthToken: Schema.optionalKey(text({ max: maximumTokenLength }))
  })
) {}
