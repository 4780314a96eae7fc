import { runInNewContext } from "node:vm"
import { runs } from "@lectern/harness"
import {
  CreateSiteScript,
  extendPolicy,
  mergeOrigins,
  policyOfOrigins,
  ScriptOrigins,
  type ScriptSource,
  scriptContent,
  scriptProblem,
  scriptTemplateIds,
  scriptTemplates,
  toScriptLiteral
} from "@lectern/model/sites"
import { Option, Schema } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const hostile = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
  fc.constantFrom(
    "</script>",
    "'+alert(1)+'",
    '"-alert(1)-"',
    "\u2028",
    "\\",
    "`$" + "{1}`",
    "{{key}}",
    "$&",
    "<!--"
  )
)

it("a placeholder in text is an expression with exactly the value, which ends no element and no line", () => {
  fc.assert(
    fc.property(hostile, (key) => {
      expect(toScriptLiteral(key)).not.toMatch(/[<>&'\n\r\u2028\u2029]/)
      const source: ScriptSource = { type: "text", text: "result = [{{key}}, {{key}}]", values: { key } }
      const { text } = scriptContent(source, {})
      expect(runInNewContext(`${text}; result.join("|")`, {})).toBe(`${key}|${key}`)
    }),
    runs(300)
  )
})

it("a placeholder of a URL changes neither its origin nor the structure of its path and query", () => {
  fc.assert(
    fc.property(hostile, (key) => {
      fc.pre(key.isWellFormed())
      const source: ScriptSource = {
        type: "url",
        url: "https://stats.example.com/a/{{key}}/b.js?id={{key}}",
        values: { key }
      }
      const url = new URL(scriptContent(source, {}).url!)
      expect([url.origin, url.hash]).toEqual(["https://stats.example.com", ""])
      expect([...url.searchParams]).toEqual([["id", key]])
      if (key !== "." && key !== "..") expect(url.pathname.split("/").length).toBe(4)
    }),
    runs(300)
  )
})

const isAccepted = (origins: unknown): boolean =>
  Option.isSome(Schema.decodeUnknownOption(ScriptOrigins)(origins))

const isAcceptedUrl = (url: string): boolean =>
  Option.isSome(Schema.decodeUnknownOption(CreateSiteScript)({ name: "Own", source: { type: "url", url } }))

it("a URL of a script has a host name, so that the policy of pages permits only that host", () => {
  for (const host of [
    "*",
    "*.com",
    "*.example.com",
    "a.*.com",
    "localhost",
    "[::1]",
    "127.0.0.1",
    "2130706433"
  ]) {
    expect([host, isAcceptedUrl(`https://${host}/a.js`)]).toEqual([host, false])
  }
  const label = fc.constantFrom("*", "a", "example", "com", "A", "ä", "1", "", "a*", "-")
  let accepted = 0
  fc.assert(
    fc.property(
      fc.array(label, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", ":8443"),
      (labels, port) => {
        const url = `https://${labels.join(".")}${port}/a.js`
        if (!isAcceptedUrl(url)) return
        accepted++
        const { scripts } = scriptContent({ type: "url", url }, {}).origins
        // Both are sources of the same policy.
        expect([url, isAccepted({ scripts })]).toEqual([url, true])
        expect(scripts.join(" ")).not.toContain("*")
      }
    ),
    runs(400)
  )
  expect(accepted).toBeGreaterThan(10)
})

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src https://a.example"

it("accepted origins add only sources to the four directives of a policy", () => {
  const near = fc
    .tuple(
      fc.constantFrom("https://", "wss://", "http://", "", "'"),
      fc.constantFrom("*.", ""),
      fc.constantFrom("stats.example.com", "a-b.example.org", "localhost", "*"),
      fc.constantFrom(
        "",
        ":8443",
        ";",
        " ",
        ",",
        "/path",
        "'unsafe-inline'",
        "\n",
        "; script-src *",
        "\u00a0x"
      )
    )
    .map((parts) => parts.join(""))
  let accepted = 0
  fc.assert(
    fc.property(fc.array(near, { maxLength: 3 }), fc.constantFrom("scripts", "frames"), (origins, kind) => {
      if (!isAccepted({ [kind]: origins })) return
      accepted++
      const extended = extendPolicy(policy, { [kind]: origins })
      const names = (text: string) => text.split(";").map((entry) => entry.trim().split(/\s/)[0])
      expect(names(extended)).toEqual(names(policy))
      const sources = extended.split("; ").flatMap((entry) => entry.split(" ").slice(1))
      for (const source of sources)
        expect(source).toMatch(/^(?:'self'|'none'|(?:https|wss):\/\/[a-z0-9.*:-]+)$/)
      for (const origin of origins) expect(extended).toContain(origin)
    }),
    runs(400)
  )
  expect(accepted).toBeGreaterThan(10)
})

it("the data of each known service is valid with its examples, and rejects values that its patterns do not match", () => {
  for (const template of scriptTemplateIds) {
    const { fields, name } = scriptTemplates[template]
    const values = Object.fromEntries(fields.map((field) => [field.name, field.example]))
    const source: ScriptSource = { type: "template", template, values }
    const decoded = Schema.decodeUnknownOption(CreateSiteScript)({ name, source })
    expect([template, Option.isSome(decoded), scriptProblem(source)]).toEqual([template, true, undefined])
    const { origins, text = "", url = "" } = scriptContent(source, {})
    expect(isAccepted(origins)).toBe(true)
    expect(`${text}${url}`).not.toContain("{{")
    // A syntax error in the data would fail in the browsers of visitors only.
    expect(() => new Function(text)).not.toThrow()
    for (const host of text.matchAll(/https:\/\/[a-z0-9.-]+/g)) {
      expect([...origins.scripts, ...origins.connections].join(" ")).toContain(
        host[0].slice("https://".length)
      )
    }
    for (const field of fields) {
      fc.assert(
        fc.property(hostile, (value) => {
          fc.pre(!new RegExp(`^(?:${field.pattern})$`).test(value))
          const changed: ScriptSource = { ...source, values: { ...values, [field.name]: value } }
          expect(scriptProblem(changed)?.path).toBe(`source.values.${field.name}`)
        }),
        runs(20)
      )
    }
  }
})

it("the policy of several scripts has each origin once", () => {
  const origins = mergeOrigins([
    { scripts: ["https://b.example", "https://a.example"] },
    { scripts: ["https://a.example"] }
  ])
  expect(policyOfOrigins(origins)).toBe("script-src https://a.example https://b.example")
})
