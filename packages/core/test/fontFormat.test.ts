import { runs } from "@lectern/harness"
import { fontFileOf, fontFormatOf, fontPath, UpdateCustomFont } from "@lectern/model/sites"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const flavors = [0x0001_0000, 0x7472_7565, 0x4f54_544f]

/** Returns a file with the header of a font. */
const fontOf = (signature: string, flavor: number, tables: number, rest: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(44 + rest.length)
  const header = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(signature))
  header.setUint32(4, flavor)
  header.setUint32(8, bytes.length)
  header.setUint16(12, tables)
  bytes.set(rest, 44)
  return bytes
}

const font = fc.record({
  format: fc.constantFrom("woff2" as const, "woff" as const),
  flavor: fc.constantFrom(...flavors),
  tables: fc.integer({ min: 1, max: 65_535 }),
  rest: fc.uint8Array({ maxLength: 64 })
})

it("identifies fonts by their header, at any place of a buffer", () => {
  fc.assert(
    fc.property(font, fc.nat(9), ({ format, flavor, tables, rest }, offset) => {
      const bytes = fontOf(format === "woff2" ? "wOF2" : "wOFF", flavor, tables, rest)
      const padded = new Uint8Array(bytes.length + offset)
      padded.set(bytes, offset)
      expect(fontFormatOf(padded.subarray(offset))).toBe(format)
    }),
    runs(200)
  )
})

it("rejects files with another signature, flavor, length or number of tables", () => {
  fc.assert(
    fc.property(font, fc.nat(13), fc.integer({ min: 1, max: 255 }), ({ flavor, rest }, at, change) => {
      const bytes = fontOf("wOF2", flavor, 1, rest)
      bytes[at] = bytes[at]! ^ change
      const { tables, isFlavor } = {
        tables: new DataView(bytes.buffer).getUint16(12),
        isFlavor: flavors.includes(new DataView(bytes.buffer).getUint32(4))
      }
      const isValid = at >= 12 ? tables > 0 : at >= 4 && at < 8 && isFlavor
      const isOtherFormat = at === 3 && bytes[3] === "F".charCodeAt(0)
      expect(fontFormatOf(bytes) === undefined).toBe(!isValid && !isOtherFormat)
      for (const shorter of [bytes.subarray(1), bytes.subarray(0, 43), new Uint8Array()]) {
        expect(fontFormatOf(shorter)).toBeUndefined()
      }
    }),
    runs(300)
  )
})

it("finds the file of a font in the paths of files, and in no other URL of a longer digest", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[\w-]{1,30}$/),
      fc.stringMatching(/^[0-9a-f]{64}$/),
      fc.constantFrom("woff2" as const, "woff" as const),
      (id, hash, format) => {
        const path = fontPath("acme", { font: id, hash, format })
        expect(fontFileOf(`https://docs.example.com${path}`)).toEqual({ font: id, hash, format })
        for (const other of [
          `${path}?x`,
          `${path}x`,
          path.replace(hash, `${hash}0`),
          path.replace(".woff", "woff")
        ]) {
          expect(fontFileOf(other)).toBeUndefined()
        }
      }
    ),
    runs(100)
  )
})

it("the error of the name of a family states every rule that an invalid name violates", () => {
  const parts = fc.constantFrom("a", "Ä", "7", " ", ".", "-", "_", '"', "(")
  let rejected = 0
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 6 }), (characters) => {
      const name = characters.join("")
      const decoded = Schema.decodeUnknownResult(UpdateCustomFont)({ fontFamily: name })
      const rules = [
        { isMet: /^[\p{L}\p{N} ._-]*$/u.test(name), message: "only letters, digits, spaces" },
        { isMet: /^[\p{L}\p{N}]/u.test(name), message: "begin with a letter or a digit" },
        { isMet: !name.endsWith(" "), message: "not end with a space" }
      ]
      expect([name, Result.isSuccess(decoded)]).toEqual([name, rules.every(({ isMet }) => isMet)])
      if (Result.isSuccess(decoded)) return
      rejected++
      for (const { isMet, message } of rules) if (!isMet) expect(String(decoded.failure)).toContain(message)
    }),
    runs(200)
  )
  expect(rejected).toBeGreaterThan(10)
})
