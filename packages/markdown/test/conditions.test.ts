/** Conditions on claims: they evaluate like JavaScript, and can access nothing except the claims. */

import { runs } from "@lectern/harness"
import { parseCondition } from "@lectern/markdown/conditions"
import { type Claims, evaluateCondition } from "@lectern/model/conditions"
import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const name = fc.constantFrom("plan", "beta", "age", "groups", "unsigned", "a b", "toString", "length")
const word = fc.constantFrom("", "a", "pro", "true", "1", "constructor", "é")
const primitive = fc.oneof(word, fc.integer({ min: -2, max: 30 }), fc.boolean(), fc.constant(null))

/** Claims of a visitor token. */
const claims: fc.Arbitrary<Claims> = fc.dictionary(
  name,
  fc.oneof(primitive, fc.array(primitive, { maxLength: 3 }), fc.dictionary(name, primitive, { maxKeys: 3 })),
  { maxKeys: 5, noNullPrototype: true }
)

/** An expression as a condition, and as equivalent JavaScript with explicit checks. */
interface Expression {
  readonly condition: string
  readonly script: string
}

const member = ({ condition, script }: Expression, name: string): Expression => ({
  condition: /^\w+$/.test(name) ? `${condition}.${name}` : `${condition}[${JSON.stringify(name)}]`,
  script: `own(${script}, ${JSON.stringify(name)})`
})

const literal = (value: unknown): Expression => ({
  condition: JSON.stringify(value),
  script: JSON.stringify(value)
})

const path = fc
  .array(name, { minLength: 1, maxLength: 2 })
  .map((names) => names.reduce(member, { condition: "visitor.claims", script: "claims" }))

/** Operators other than identity and logic accept primitive values only. */
const binary = (left: Expression, operator: string, right: Expression): Expression => {
  const guard = (script: string) => (/^[=!]==$|^&&$|^\|\|$/.test(operator) ? script : `primitive(${script})`)
  return {
    condition: `(${left.condition} ${operator} ${right.condition})`,
    script: `(${guard(left.script)} ${operator} ${guard(right.script)})`
  }
}

const operator = fc.constantFrom("&&", "||", "==", "!=", "===", "!==", "<", "<=", ">", ">=")
const method = fc.constantFrom("includes", "startsWith", "endsWith")

/** Expressions that are nested up to a depth. */
const expressions = (depth: number): fc.Arbitrary<Expression> => {
  const leaf = fc.oneof(
    path,
    primitive.filter((value) => typeof value !== "number" || value >= 0).map(literal)
  )
  if (depth === 0) return leaf
  const inner = expressions(depth - 1)
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

const abort = () => {
  throw new Error("The evaluation ends with false.")
}
const isObject = (value: unknown) => typeof value === "object" && value !== null
/** The checks that conditions add to JavaScript: missing claims and unsuitable values end the evaluation with false. */
const evaluationChecks = {
  own: (object: object, name: string) =>
    isObject(object) && Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : abort(),
  primitive: (value: unknown) => (isObject(value) ? abort() : value),
  object: (value: unknown) => (isObject(value) ? value : abort()),
  callable: (receiver: unknown, argument: unknown) =>
    Array.isArray(receiver) || (typeof receiver === "string" && !isObject(argument)) ? receiver : abort()
}

const evaluateInJavaScript = (script: string, claims: Claims): boolean => {
  try {
    const names = Object.keys(evaluationChecks)
    const run = new Function("claims", ...names, `"use strict"; return (${script})`)
    return Boolean(run(claims, ...Object.values(evaluationChecks)))
  } catch {
    return false
  }
}

describe("a condition", () => {
  it("evaluates like JavaScript, and never throws", () => {
    let trueCount = 0
    fc.assert(
      fc.property(expressions(3), claims, ({ condition, script }, claims) => {
        const result = evaluateCondition(Result.getOrThrow(parseCondition(condition)), claims)
        if (result) trueCount++
        expect([condition, result]).toEqual([condition, evaluateInJavaScript(script, claims)])
      }),
      runs(5_000)
    )
    expect(trueCount).toBeGreaterThan(runs(400).numRuns)
  })

  it("is false if it refers to a claim that the visitor does not have", () => {
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
      expect([condition, evaluateCondition(Result.getOrThrow(parseCondition(condition)), claims)]).toEqual([
        condition,
        expected
      ])
    }
  })

  it("is rejected if it uses syntax outside of the supported subset", () => {
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

  it("is rejected or evaluated without an exception for adversarial expressions and claims", () => {
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
        expect(typeof evaluateCondition(parsed.success, { x: long })).toBe("boolean")
      }
    }
  })
})
