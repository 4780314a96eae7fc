/** Conditions: they mean what they mean in JavaScript, and they can reach nothing but the claims. */
import { type Claims, holds, parseCondition } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const name = fc.constantFrom("plan", "beta", "age", "groups", "unsigned", "a b", "toString", "length")
const word = fc.constantFrom("", "a", "pro", "true", "1", "constructor", "é")
const primitive = fc.oneof(word, fc.integer({ min: -2, max: 30 }), fc.boolean(), fc.constant(null))

/** Claims as a token can carry them. */
const claims: fc.Arbitrary<Claims> = fc.dictionary(
  name,
  fc.oneof(primitive, fc.array(primitive, { maxLength: 3 }), fc.dictionary(name, primitive, { maxKeys: 3 })),
  { maxKeys: 5, noNullPrototype: true }
)

/** An expression of the subset: as a condition has it, and as JavaScript has it with what conditions add to it. */
interface Both {
  readonly condition: string
  readonly script: string
}

const member = ({ condition, script }: Both, name: string): Both => ({
  condition: /^\w+$/.test(name) ? `${condition}.${name}` : `${condition}[${JSON.stringify(name)}]`,
  script: `own(${script}, ${JSON.stringify(name)})`
})

const literal = (value: unknown): Both => ({
  condition: JSON.stringify(value),
  script: JSON.stringify(value)
})

const path = fc
  .array(name, { minLength: 1, maxLength: 2 })
  .map((names) => names.reduce(member, { condition: "visitor.claims", script: "claims" }))

/** Between two values: what is not about identity is about primitives alone. */
const binary = (left: Both, operator: string, right: Both): Both => {
  const guard = (script: string) => (/^[=!]==$|^&&$|^\|\|$/.test(operator) ? script : `plain(${script})`)
  return {
    condition: `(${left.condition} ${operator} ${right.condition})`,
    script: `(${guard(left.script)} ${operator} ${guard(right.script)})`
  }
}

const operator = fc.constantFrom("&&", "||", "==", "!=", "===", "!==", "<", "<=", ">", ">=")
const method = fc.constantFrom("includes", "startsWith", "endsWith")

/** Expressions, the nested ones as deep as this. */
const nested = (depth: number): fc.Arbitrary<Both> => {
  const leaf = fc.oneof(
    path,
    primitive.filter((value) => typeof value !== "number" || value >= 0).map(literal)
  )
  if (depth === 0) return leaf
  const inner = nested(depth - 1)
  return fc.oneof(
    leaf,
    inner.map(({ condition, script }) => ({ condition: `!${condition}`, script: `!${script}` })),
    fc.tuple(inner, operator, inner).map(([left, operator, right]) => binary(left, operator, right)),
    fc
      .tuple(word, fc.oneof(path, fc.constant({ condition: "visitor.claims", script: "claims" })))
      .map(([left, right]) => ({
        condition: `(${JSON.stringify(left)} in ${right.condition})`,
        script: `Object.hasOwn(object(${right.script}), ${JSON.stringify(left)})`
      })),
    fc.tuple(path, method, inner).map(([on, method, argument]) => ({
      condition: `${on.condition}.${method}(${argument.condition})`,
      script: `callable(${on.script}, ${argument.script}).${method}(${argument.script})`
    }))
  )
}

const missing = () => {
  throw new Error("missing")
}
const isObject = (value: unknown) => typeof value === "object" && value !== null
/** What conditions add to JavaScript: a claim that is not there ends it, and objects are asked for nothing. */
const scope = {
  own: (of: object, name: string) =>
    isObject(of) && Object.hasOwn(of, name) ? (of as Record<string, unknown>)[name] : missing(),
  plain: (value: unknown) => (isObject(value) ? missing() : value),
  object: (value: unknown) => (isObject(value) ? value : missing()),
  callable: (on: unknown, argument: unknown) =>
    Array.isArray(on) || (typeof on === "string" && !isObject(argument)) ? on : missing()
}

const byJavaScript = (script: string, claims: Claims): boolean => {
  try {
    const names = Object.keys(scope)
    const run = new Function("claims", ...names, `"use strict"; return (${script})`)
    return Boolean(run(claims, ...Object.values(scope)))
  } catch {
    return false
  }
}

describe("a condition", () => {
  it("holds where JavaScript says that it does, and never throws", () => {
    let held = 0
    fc.assert(
      fc.property(nested(3), claims, ({ condition, script }, claims) => {
        const result = holds(Result.getOrThrow(parseCondition(condition)), claims)
        if (result) held++
        expect([condition, result]).toEqual([condition, byJavaScript(script, claims)])
      }),
      runs(5_000)
    )
    expect(held).toBeGreaterThan(500)
  })

  it("is false where it names a claim that the visitor does not have", () => {
    for (const [condition, claims, expected] of [
      ["visitor.claims.beta", { beta: true }, true],
      ["visitor.claims.beta", {}, false],
      ["!visitor.claims.beta", {}, false],
      ["!visitor.claims.beta", { beta: false }, true],
      ["visitor.claims.beta == true", { beta: "true" }, false],
      ['visitor.claims.unsigned.plan === "pro"', { unsigned: { plan: "pro" } }, true],
      ['visitor.claims.unsigned.plan === "pro"', { unsigned: "pro" }, false],
      ['visitor.claims.groups.includes("a") && visitor.claims.age >= 18', { groups: ["a"], age: 18 }, true],
      ['"beta" in visitor.claims', { beta: false }, true],
      ['"toString" in visitor.claims || "x" in visitor.claims', {}, false],
      ["visitor.claims.constructor", {}, false],
      ["visitor.claims.toString", {}, false],
      ["visitor.claims.__proto__", {}, false],
      ["visitor.claims.groups.length", { groups: ["a"] }, true],
      ["visitor.claims.groups.map", { groups: ["a"] }, false]
    ] as const) {
      expect([condition, holds(Result.getOrThrow(parseCondition(condition)), claims)]).toEqual([
        condition,
        expected
      ])
    }
  })

  it("is refused where it is anything else", () => {
    for (const condition of [
      "",
      " ",
      "visitor",
      "visitor.name",
      "claims.x",
      "window",
      "globalThis.process",
      "visitor.claims.x = 1",
      "visitor.claims.x++",
      "delete visitor.claims.x",
      "typeof visitor.claims.x",
      "visitor.claims.x ? 1 : 2",
      "visitor.claims.x ?? 1",
      "visitor.claims?.x",
      "visitor.claims.x?.y",
      "visitor.claims[visitor.claims.x]",
      "visitor.claims['x' + 'y']",
      "visitor.claims.x + 1",
      "-1 < visitor.claims.x",
      "visitor.claims.x.toString()",
      "visitor.claims.x.includes()",
      "visitor.claims.x.includes(1, 2)",
      "visitor.claims.x.includes(...[1])",
      "visitor.claims.x.includes`1`",
      "includes(1)",
      "visitor.claims['includes'](1)(2)",
      "visitor.claims()",
      "new visitor.claims.x()",
      "/a+/.test('a')",
      "1n",
      "`a`",
      "() => true",
      "function () {}",
      "[1].includes(1)",
      "{}",
      "({})",
      "this",
      "import('x')",
      "a; b",
      "visitor.claims.x, true",
      "visitor.claims.x;",
      "visitor.claims.x // comment\n && (",
      "await visitor.claims.x",
      "visitor.claims.#x",
      "\u0000"
    ]) {
      expect([condition, Result.isFailure(parseCondition(condition))]).toEqual([condition, true])
    }
  })

  it("ends soon, however it is made to hurt", () => {
    const long = "x".repeat(8_000)
    for (const condition of [
      `${"(".repeat(500)}true${")".repeat(500)}`,
      `${"!".repeat(1_000)}true`,
      Array.from({ length: 60 }, () => "visitor.claims.x").join("||"),
      `visitor.claims${".x".repeat(480)}`,
      `visitor.claims.x${".includes('x')".repeat(60)}`
    ]) {
      const parsed = parseCondition(condition)
      if (Result.isSuccess(parsed)) {
        expect(typeof holds(parsed.success, { x: long })).toBe("boolean")
      }
    }
  })
})
