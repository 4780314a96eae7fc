/**
 * Arbitraries for text schemas from which values cannot be derived: patterns with lookahead or character classes, and
 * filters that are functions. Other schemas need no entry here.
 */
import { Condition } from "@lectern/core"
import * as fc from "fast-check"
import { boundsOf, checksOf, type SchemaNode } from "./nodes.ts"

const stringsOver = (alphabet: string, minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength, maxLength, size: "max" })
    .map((all) => all.join(""))

const labelAlphabet = "abcxyz019"
const label = stringsOver(labelAlphabet, 1, 10)
const domain = fc.tuple(label, fc.constantFrom("example", "test", "invalid")).map((parts) => parts.join("."))
const slug = fc.oneof(
  stringsOver("aZ09._~é日-", 1, 12).filter((text) => text !== "." && text !== ".."),
  fc.constant("x".repeat(100))
)

/** Arbitraries by the pattern of the schema. */
const byPattern: ReadonlyMap<string, fc.Arbitrary<string>> = new Map([
  [String.raw`^[\x21-\x7e]{1,100}$`, stringsOver("abcxyz0123456789-._~!$'()*/%&?#[]{}", 1, 32)],
  [
    String.raw`^(?=.{3,254}$)[^\s@"'<>(),:;\\\p{Cc}\p{Cs}]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$`,
    fc.tuple(stringsOver("abz09.+_é", 1, 10), domain).map((parts) => parts.join("@"))
  ],
  [String.raw`^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$`, domain],
  [String.raw`^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~-]+$`, slug],
  [String.raw`^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~+-]{0,100}$`, fc.oneof(slug, fc.constant(""))],
  [String.raw`^[^/\\\p{Cc}]+$`, fc.oneof(stringsOver("aB9 .é日-_", 1, 20), fc.constant("a.png"))],
  [String.raw`^[^\0]{1,2000}$`, fc.oneof(stringsOver("ab/é-%.", 1, 30), fc.constant("a".repeat(500)))],
  ["^[A-Za-z0-9+/]+={0,2}$", fc.constantFrom("iVBORw0KGgo=", "R0lGODlhAQABAAAAACw=", "AA", "x")],
  [
    String.raw`^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$`,
    fc.tuple(label, label).map(([host, path]) => `${host}.example/${path}`)
  ]
])

/** Arbitraries by the `expected` annotation of a filter. */
const byExpectation: ReadonlyMap<string, fc.Arbitrary<string>> = new Map([
  [
    "an absolute http or https URL",
    fc.oneof(
      fc.webUrl({ validSchemes: ["http", "https"], withQueryParameters: true, withFragments: true }),
      fc.constantFrom(
        "http://127.0.0.1/",
        "http://[::1]:22/",
        "http://169.254.169.254/latest/meta-data/",
        "https://user:password@example.com/%zz",
        "http://example.com:0/",
        "https://xn--nxasmq6b.example/",
        `https://example.com/${"x".repeat(2000)}`
      )
    )
  ],
  ["the URL of an issuer", fc.webUrl({ validSchemes: ["http", "https"] })]
])

const claim = fc.constantFrom("visitor.claims.plan", "visitor.claims.unsigned.beta", "visitor.claims['a b']")
const literal = fc.constantFrom("'pro'", '"x"', "true", "1", "null", "-1.5")
const operator = fc.constantFrom("==", "!=", "===", "!==", "<", "<=", ">", ">=")
const comparison = fc.tuple(claim, operator, literal).map((parts) => parts.join(" "))
const condition = fc.oneof(
  comparison,
  claim,
  fc.tuple(comparison, fc.constantFrom("&&", "||"), comparison).map((parts) => parts.join(" ")),
  comparison.map((inner) => `!(${inner})`),
  fc.tuple(claim, literal).map(([left, right]) => `${left}.includes(${right})`),
  fc.constant(`${"!".repeat(900)}true`)
)

const lastCheckOf = (node: SchemaNode) => checksOf(node).at(-1)

/** Returns the arbitrary for a string node; undefined if its values can be derived from its declaration. */
export const stringOverrideOf = (node: SchemaNode): fc.Arbitrary<string> | undefined => {
  if (node.annotations?.format === "date-time") {
    return fc
      .date({ noInvalidDate: true, min: new Date("1970-01-01"), max: new Date("2999-12-31") })
      .map((date) => date.toISOString())
  }
  if (checksOf(node).some((check) => check.run === lastCheckOf(Condition.ast)?.run)) return condition
  for (const check of checksOf(node)) {
    const arbitrary = byExpectation.get(String(check.annotations?.expected))
    if (arbitrary !== undefined) return arbitrary
  }
  for (const { source } of boundsOf(node).patterns) {
    const arbitrary = byPattern.get(source)
    if (arbitrary !== undefined) return arbitrary
  }
  return undefined
}
