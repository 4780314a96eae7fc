/** Creates and recognizes one-time recovery codes. */

import { sha256Hex } from "@lectern/kernel/sha256"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** The number of codes of a user. */
export const recoveryCodeCount = 10

/** The 32 digits of Crockford's Base32, none of which is mistaken for another: each has 5 random bits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const codeLength = 16

/** Returns the digits of a code as people type it: with spaces and hyphens, in upper case, and with letters that look like digits. */
const normalizeCode = (code: string): string =>
  code.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1")

/** The digest of a code, which is stored. A fast hash suffices for 80 random bits. */
export const recoveryDigest = (user: string, code: string): string =>
  sha256Hex(`recovery code ${user} ${normalizeCode(code)}`)

const codeOf = (bytes: Uint8Array): string => {
  const characters = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]!).join("")
  return characters.match(/.{4}/g)!.join("-")
}

/** Generates the codes of a user: 16 characters each, in groups of 4. */
export const generateRecoveryCodes = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* random.randomBytes(codeLength * recoveryCodeCount)
  return Array.from({ length: recoveryCodeCount }, (_, index) =>
    codeOf(bytes.subarray(index * codeLength, (index + 1) * codeLength))
  )
})
