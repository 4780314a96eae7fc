/** The signature of the requests to webhooks: `X-GitBook-Signature: t=…,v1=…`. */

import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { isSame } from "../../security/Signatures.ts"

/** The name of the header, in lower case. */
export const signatureHeader = "x-gitbook-signature"

/** How far the clocks of the sender and the receiver may differ, in seconds. */
const defaultToleranceSeconds = 300

const signatureOf = (secret: string, seconds: number, body: string): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${seconds}.${body}`)))

/**
 * Returns the value of the header for a body: the time in seconds, and the HMAC-SHA256 of `<time>.<body>` in
 * hexadecimal, once for each secret.
 */
export const signWebhook = (secrets: ReadonlyArray<string>, seconds: number, body: string): string =>
  [`t=${seconds}`, ...secrets.map((secret) => `v1=${signatureOf(secret, seconds, body)}`)].join(",")

/**
 * Whether a request to a webhook was sent by this workspace. `body` is the body as it was received, before it is parsed.
 * `nowMs` is the time to compare with, now by default, and `toleranceSeconds`, 300 by default, the maximum age of the request.
 *
 * @example
 * const header = request.headers.get("x-gitbook-signature")
 * const isValid = verifyWebhook({ secret, header, body })
 */
export const verifyWebhook = (request: {
  readonly secret: string
  readonly header: string | null | undefined
  readonly body: string
  readonly nowMs?: number
  readonly toleranceSeconds?: number
}): boolean => {
  const parts = (request.header ?? "").split(",").map((part) => part.trim().split("=", 2))
  const time = parts.find(([name]) => name === "t")?.[1]
  if (time === undefined || !/^\d{1,12}$/.test(time)) return false
  const seconds = Number(time)
  const ageSeconds = Math.abs((request.nowMs ?? Effect.runSync(Clock.currentTimeMillis)) / 1_000 - seconds)
  if (ageSeconds > (request.toleranceSeconds ?? defaultToleranceSeconds)) return false
  const expected = signatureOf(request.secret, seconds, request.body)
  return parts.some(([name, value]) => name === "v1" && value !== undefined && isSame(value, expected))
}
