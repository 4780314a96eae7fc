/** AES-256-GCM with keys that are derived from the secrets of a workspace. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Base64Url } from "effect/encoding"

/** A secret of the workspace, with its id if it has one. */
export interface WorkspaceKey {
  /** The id of the secret in the settings. Values that it encrypts begin with it. */
  readonly id: string | undefined
  /** The bytes of the secret. */
  readonly secret: Uint8Array
}

/** The length of a nonce, in bytes, as GCM requires. */
export const nonceBytes = 12

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(utf8ToBytes(text))

/** Derives the key of encryption, once per secret. */
const encryptionKeys = new WeakMap<WorkspaceKey, Promise<CryptoKey>>()

const encryptionKeyOf = (key: WorkspaceKey): Promise<CryptoKey> => {
  const cached = encryptionKeys.get(key)
  if (cached !== undefined) return cached
  const bytes = new Uint8Array(hmac(sha256, key.secret, utf8ToBytes("key for encryption")))
  const imported = crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])
  encryptionKeys.set(key, imported)
  return imported
}

/**
 * Encrypts text as `<nonce>.<ciphertext>` in base64url, after `<id>:` if the key has an id. `place` is authenticated with
 * it: the result cannot be decrypted for another place.
 */
export const seal = async (
  key: WorkspaceKey,
  nonce: Uint8Array,
  text: string,
  place: string
): Promise<string> => {
  const algorithm = { name: "AES-GCM", iv: new Uint8Array(nonce), additionalData: toBytes(place) }
  const sealed = await crypto.subtle.encrypt(algorithm, await encryptionKeyOf(key), toBytes(text))
  const prefix = key.id === undefined ? "" : `${key.id}:`
  return `${prefix}${Base64Url.encode(nonce)}.${Base64Url.encode(new Uint8Array(sealed))}`
}

/** Returns the id of the key that encrypted a value, or `undefined` if the value has no id. */
export const keyIdOf = (sealed: string): string | undefined => {
  const end = sealed.indexOf(":")
  return end === -1 ? undefined : sealed.slice(0, end)
}

/** Whether text was encrypted by {@link seal}. Keys and secrets that are not encrypted are base64url, without a dot. */
export const isSealed = (text: string): boolean => /^([\w-]+:)?[\w-]{16}\.[\w-]+$/.test(text)

/** Decrypts text. Returns `undefined` if the key, the place or the bytes do not match. */
export const unseal = async (
  key: WorkspaceKey,
  sealed: string,
  place: string
): Promise<string | undefined> => {
  try {
    const [nonce, ciphertext] = sealed
      .slice(sealed.indexOf(":") + 1)
      .split(".")
      .map((part) => {
        const bytes = Base64Url.decode(part)
        return new Uint8Array(bytes._tag === "Success" ? bytes.success : [])
      })
    const algorithm = { name: "AES-GCM", iv: nonce!, additionalData: toBytes(place) }
    return new TextDecoder().decode(
      await crypto.subtle.decrypt(algorithm, await encryptionKeyOf(key), ciphertext!)
    )
  } catch {
    return undefined
  }
}
