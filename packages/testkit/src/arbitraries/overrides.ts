/**
 * The one place for what a schema alone does not tell how to make: patterns that look ahead or name classes of
 * characters, and filters that are functions. A schema that is not here is generated from what it declares.
 */
import { Condition } from "@lectern/core"
import * as fc from "fast-check"
import { boundsOf, checksOf, type Node } from "./nodes.ts"

const letters = (alphabet: string, minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength, maxLength, size: "max" })
    .map((all) => all.join(""))

const small = "abcxyz019"
const label = letters(small, 1, 10)
const domain = fc.tuple(label, fc.constantFrom("example", "test", "invalid")).map((parts) => parts.join("."))
const slug = fc.oneof(
  letters("aZ09._~é日-", 1, 12).filter((text) => text !== "." && text !== ".."),
  fc.constant("x".repeat(100))
)

/** By their patterns. */
const byPattern: ReadonlyMap<string, fc.Arbitrary<string>> = new Map([
  [String.raw`^[\x21-\x7e]{1,100}$`, letters("abcxyz0123456789-._~!$'()*/%&?#[]{}", 1, 32)],
  [
    String.raw`^(?=.{3,254}$)[^\s@"'<>(),:;\\\p{Cc}\p{Cs}]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$`,
    fc.tuple(letters("abz09.+_é", 1, 10), domain).map((parts) => parts.join("@"))
  ],
  [String.raw`^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$`, domain],
  [String.raw`^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~-]+$`, slug],
  [String.raw`^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~+-]{0,100}$`, fc.oneof(slug, fc.constant(""))],
  [String.raw`^[^/\\\p{Cc}]+$`, fc.oneof(letters("aB9 .é日-_", 1, 20), fc.constant("a.png"))],
  [String.raw`^[^\0]{1,2000}$`, fc.oneof(letters("ab/é-%.", 1, 30), fc.constant("a".repeat(500)))],
  ["^[A-Za-z0-9+/]+={0,2}$", fc.constantFrom("iVBORw0KGgo=", "R0lGODlhAQABAAAAACw=", "AA", "x")],
  [
    String.raw`^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$`,
    fc.tuple(label, label).map(([host, path]) => `${host}.example/${path}`)
  ]
])

/** By what their filters say that they expect. */
const byExpectation: ReadonlyMap<string, fc.Arbitrary<string>> = new Map([
  [
    "an http or https address",
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
  ]
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

const lastCheckOf = (node: Node) => checksOf(node).at(-1)

/** What makes the texts of a node; undefined where its own declaration is enough. */
export const overrideOf = (node: Node): fc.Arbitrary<string> | undefined => {
  if (node.annotations?.format === "date-time") {
    return fc
      .date({ noInvalidDate: true, min: new Date("1970-01-01"), max: new Date("2999-12-31") })
      .map((date) => date.toISOString())
  }
  if (checksOf(node).some((check) => check.run === lastCheckOf(Condition.ast)?.run)) return condition
  for (const check of checksOf(node)) {
    const made = byExpectation.get(String(check.annotations?.expected))
    if (made !== undefined) return made
  }
  for (const { source } of boundsOf(node).patterns) {
    const made = byPattern.get(source)
    if (made !== undefined) return made
  }
  return undefined
}
