/** A visitor of a published site, who is not a user, and the token that carries their credentials. */

import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { excessOfJson } from "../schema/jsonBounds.ts"
import { jsonBoundsOf, maximumJsonLength } from "../schema/jsonSize.ts"
import { resource } from "../schema/resource.ts"
import { SiteId } from "./Site.ts"
import { VisitorQuery } from "./VisitorQuery.ts"

/** The maximum length of unsigned claims as JSON, in characters. It bounds the claims that each condition evaluates. */
const maximumClaimsLength = 4096

/** Claims that the visitor states without a signature, which conditions read as `visitor.claims.unsigned`. */
export const UnsignedClaims = Schema.Record(Schema.String, Schema.Json).check(
  maximumJsonLength(maximumClaimsLength)
)

/** The site that a visitor reads, and their credentials. Every operation verifies the credentials again. */
export class SiteVisitor extends resource<SiteVisitor>()(
  Schema.Struct({
    /** The organization of the site. */
    organization: OrganizationId,
    /** The site. */
    site: SiteId,
    ...VisitorQuery.fields,
    /** Claims without a signature. */
    unsignedClaims: Schema.optionalKey(UnsignedClaims)
  })
) {}

const tokenPrefix = "visitor."

const utf8 = new TextDecoder()

const visitorBounds = jsonBoundsOf(SiteVisitor)

const decodeVisitor = Schema.decodeUnknownOption(Schema.fromJsonString(SiteVisitor))

/**
 * Returns the token with which a visitor calls the API. It consists of their credentials and has no secret of its own:
 * it stops working when the credentials do, and equal credentials have equal tokens, so that responses can be cached by
 * token.
 */
export const visitorToken = ({
  organization,
  site,
  shareKey,
  visitorAuthToken,
  unsignedClaims
}: SiteVisitor): string =>
  tokenPrefix +
  Base64Url.encode(JSON.stringify({ organization, site, shareKey, visitorAuthToken, unsignedClaims }))

/** Whether a token is one of {@link visitorToken}. API tokens never are. */
export const isVisitorToken = (token: string): boolean => token.startsWith(tokenPrefix)

/** Returns the visitor of a token; undefined if it is malformed. The credentials are not verified. */
export const visitorOfToken = (token: string): SiteVisitor | undefined => {
  const json = Base64Url.decode(token.slice(tokenPrefix.length))
  return Result.isSuccess(json) && excessOfJson(json.success, visitorBounds) === undefined
    ? Option.getOrUndefined(decodeVisitor(utf8.decode(json.success)))
    : undefined
}

/** The second part of a token that renderers decode like a JWT: an empty object in Base64. */
const previewPrefix = "preview.e30."

/**
 * Returns an API token with the mark of a preview. It has the rights of the token, and requests with it read the sites of its user
 * whether they are published or not.
 */
export const previewToken = (token: string): string => previewPrefix + token

/** Returns the API token of {@link previewToken}; undefined for a token without the mark. */
export const tokenOfPreview = (token: string): string | undefined =>
  token.startsWith(previewPrefix) ? token.slice(previewPrefix.length) : undefined
