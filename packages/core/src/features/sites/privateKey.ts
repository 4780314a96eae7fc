/** The key that the tokens of a site's visitors are signed with. */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** How long a key is, in bytes: as long as the hash that it is used with. */
const keyBytes = 32

/** A new key, as text. */
export const makePrivateKey = (random: SecureRandom.SecureRandom["Service"]) =>
  Effect.map(random.randomBytes(keyBytes), Base64Url.encode)
