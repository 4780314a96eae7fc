/** The normalization of e-mail addresses, by which accounts are found. */
import { CreateUser } from "@lectern/model/users"
import { Option, Schema } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const decode = (email: string): string | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(CreateUser)({ email }))?.email

const ascii = /^[\0-\x7f]*$/

it("maps an address to an ASCII address only if they differ in the case of ASCII letters and in outer whitespace", () => {
  const address = fc
    .tuple(
      fc.string({ unit: "binary", minLength: 1, maxLength: 8 }),
      fc.constantFrom("example.com", "\u212aorp.test")
    )
    .map(([name, domain]) => `${name}@${domain}`)
  fc.assert(
    fc.property(address, (given) => {
      const decoded = decode(given)
      if (decoded === undefined || !ascii.test(decoded)) return
      expect(given.trim()).toMatch(ascii)
      expect(given.trim().toLowerCase()).toBe(decoded)
    })
  )
})

it("rejects characters whose lower case or compatibility form has ASCII characters", () => {
  // The Kelvin sign, a dotted capital I, a long s, a ligature, full-width letters and an ordinal.
  for (const character of ["\u212a", "\u0130", "\u017f", "\ufb01", "\uff4b", "\uff2b", "\u00aa"]) {
    expect([character, decode(`${character}ing@example.com`)]).toEqual([character, undefined])
    expect([character, decode(`king@${character}.example.com`)]).toEqual([character, undefined])
  }
  expect(decode(" King@Example.COM ")).toBe("king@example.com")
})

it("normalizes equal text to one address, which normalization leaves unchanged", () => {
  expect(decode("Jos\u0065\u0301@example.com")).toBe("jos\u00e9@example.com")
  expect(decode("\u00c9mile@example.com")).toBe("\u00e9mile@example.com")
  const letters = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(letters, (name) => {
      const decoded = decode(`${name}@example.com`)
      if (decoded !== undefined) expect(decode(decoded)).toBe(decoded)
      expect(decode(`${name.normalize("NFD")}@example.com`)).toBe(decoded)
    })
  )
})
