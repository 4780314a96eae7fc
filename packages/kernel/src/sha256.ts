/** Computes SHA-256 with the implementation of the runtime if it has one, which is several times faster than JavaScript. */
import { sha256 as portableSha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

// Not imported, because not every runtime has this module.
const native = globalThis.process?.getBuiltinModule?.("node:crypto")

const toBytes = (data: string | Uint8Array): Uint8Array =>
  typeof data === "string" ? utf8ToBytes(data) : data

/** Returns the digest of bytes, or of the UTF-8 of a string. */
export const sha256: (data: string | Uint8Array) => Uint8Array =
  typeof native?.hash === "function"
    ? (data) => native.hash("sha256", data, "buffer")
    : (data) => portableSha256(toBytes(data))

/** Returns the digest as hexadecimal digits. */
export const sha256Hex: (data: string | Uint8Array) => string =
  typeof native?.hash === "function"
    ? (data) => native.hash("sha256", data, "hex")
    : (data) => bytesToHex(portableSha256(toBytes(data)))

/** Computes the digest of data that is added in parts. */
export interface Sha256 {
  /** Adds bytes, or the UTF-8 of a string. */
  readonly add: (data: string | Uint8Array) => void
  /** Returns the digest of the data so far. */
  readonly result: () => Uint8Array
}

/** Creates the digest of no data. */
export const makeSha256 = (): Sha256 => {
  if (native !== undefined) {
    const hash = native.createHash("sha256")
    return { add: (data) => void hash.update(data), result: () => hash.copy().digest() }
  }
  const hash = portableSha256.create()
  return { add: (data) => void hash.update(toBytes(data)), result: () => hash.clone().digest() }
}
