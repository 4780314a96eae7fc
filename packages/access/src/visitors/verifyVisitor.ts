/** Verifies the credentials of a visitor against a site. */

import { callPlatform, type StorageUnavailable } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  retainValidClaims,
  type ShareLinkRow,
  type SiteRow,
  type SiteSettingsRow
} from "@lectern/kernel/tables"
import { parseStoredCondition } from "@lectern/markdown/conditions"
import { type Claims, evaluateCondition } from "@lectern/model/conditions"
import { excessOfJson } from "@lectern/model/schema"
import type { Customization, SiteVisitor } from "@lectern/model/sites"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect, Result } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { jwtVerify } from "jose"

/** The credentials that a visitor presents to a site. */
export type VisitorCredentials = Pick<SiteVisitor, "shareKey" | "visitorAuthToken" | "unsignedClaims">

/** The rows that the admission of a visitor depends on. */
export interface VisitedRows {
  readonly site: SiteRow
  readonly settings: SiteSettingsRow
  /** The share link of the site with the visitor's share key. */
  readonly link: ShareLinkRow | undefined
}

/** The claims of the JWT that describe the token and not the visitor. They differ in each token of a visitor. */
const tokenClaims: ReadonlySet<string> = new Set(["exp", "iat", "nbf", "jti"])

/** Whether the claims of a JWT exceed the bounds of JSON. The verification rejects a payload that is not Base64. */
const exceedsBounds = (token: string): boolean => {
  const payload = Base64Url.decode(token.split(".")[1] ?? "")
  return Result.isSuccess(payload) && excessOfJson(payload.success) !== undefined
}

/** Verifies a JWT. Returns undefined if its claims are nested too deeply, if its signature is invalid, if it is expired, or if it has no expiry. */
const verifyToken = Effect.fnUntraced(function* (token: string, privateKey: string) {
  if (exceedsBounds(token)) return undefined
  const currentDate = new Date(yield* Clock.currentTimeMillis)
  return yield* callPlatform(
    (): Promise<Claims | undefined> =>
      jwtVerify(token, utf8ToBytes(privateKey), {
        algorithms: ["HS256"],
        requiredClaims: ["exp"],
        currentDate
      }).then(
        ({ payload }) =>
          Object.fromEntries(Object.entries(payload).filter(([name]) => !tokenClaims.has(name))),
        () => undefined
      )
  )
})

/**
 * Returns the claims of a visitor, empty without valid credentials. Returns undefined if the site is not published, or if
 * its visibility requires credentials that are missing or invalid. `readPrivateKey` decrypts the key of the site.
 */
export const verifyVisitor = Effect.fnUntraced(function* (
  { site: { published, visibility }, settings: { adaptiveSchema }, link }: VisitedRows,
  { visitorAuthToken, unsignedClaims }: VisitorCredentials,
  readPrivateKey: Effect.Effect<string | undefined, StorageUnavailable>
) {
  if (!published) return undefined
  const privateKey = visitorAuthToken === undefined ? undefined : yield* readPrivateKey
  const signed =
    visitorAuthToken === undefined || privateKey === undefined
      ? undefined
      : yield* verifyToken(visitorAuthToken, privateKey)
  if (visibility === "visitor-auth" && signed === undefined) return undefined
  if (visibility === "share-link" && link?.active !== true) return undefined
  if (signed === undefined && unsignedClaims === undefined) return {}
  const claims: Claims = unsignedClaims === undefined ? signed! : { ...signed, unsigned: unsignedClaims }
  return adaptiveSchema === null ? claims : retainValidClaims(adaptiveSchema.jsonSchema, claims)
})

/** Whether a part of a site is visible to a visitor with these claims. */
export const isVisibleTo =
  (claims: Claims) =>
  ({ condition }: { readonly condition: string | null }): boolean => {
    if (condition === null) return true
    const expression = parseStoredCondition(condition)
    return expression !== undefined && evaluateCondition(expression, claims)
  }

/** Returns a customization without the links of the header that are hidden from a visitor with these claims. */
export const visibleCustomization = (customization: Customization, claims: Claims): Customization => {
  const isVisible = isVisibleTo(claims)
  const links = customization.header.links.filter(({ condition }) =>
    isVisible({ condition: condition ?? null })
  )
  return { ...customization, header: { ...customization.header, links } }
}

const withSortedKeys = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/**
 * Identifies everything about a visitor that the visible content of a site depends on: the share key in its URLs and
 * the claims. Visitors with equal ids see equal content.
 */
export const visitorContextId = (site: SiteRow, shareKey: string | undefined, claims: Claims): string =>
  sha256Hex(JSON.stringify([site.id, shareKey ?? null, claims], withSortedKeys)).slice(0, 32)
