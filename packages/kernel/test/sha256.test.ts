import { sha256 as portableSha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeSha256, sha256, sha256Hex } from "../src/sha256.ts"

/** Strings with every UTF-16 code unit, also surrogates without their other half. */
const texts = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))

const data = fc.oneof(texts, fc.uint8Array({ maxLength: 300 }))

const portableHex = (value: string | Uint8Array): string =>
  bytesToHex(portableSha256(typeof value === "string" ? utf8ToBytes(value) : value))

describe("SHA-256", () => {
  it("has the digests of the implementation without the runtime", () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(sha256Hex(value)).toBe(portableHex(value))
        expect(bytesToHex(sha256(value))).toBe(portableHex(value))
      })
    )
  })

  it("has the same digest in parts, at each point", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 10 }), (parts) => {
        const hash = makeSha256()
        parts.forEach((part, index) => {
          hash.add(part)
          const whole = Buffer.concat(parts.slice(0, index + 1))
          expect(bytesToHex(hash.result())).toBe(portableHex(whole))
        })
      })
    )
  })
})
