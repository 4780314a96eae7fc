/** Generates the private keys of sites, which sign visitor tokens (HS256). */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** The length of a key, in bytes: the output length of SHA-256, as RFC 7518 requires for HS256. */
const keyBytes = 32

/** Generates a private key, encoded as base64url. */
export const makePrivateKey = (random: SecureRandom.SecureRandom["Service"]) =>
  Effect.map(random.randomBytes(keyBytes), Base64Url.encode)
