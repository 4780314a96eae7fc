/** The strings of all areas: each language has the same placeholders, and every string is used. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, vi } from "vitest"

vi.stubGlobal("navigator", { languages: ["en"], platform: "" })
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined })

const sources = fileURLToPath(new URL("../src", import.meta.url))

const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.tsx?$/.test(name)
)

type Text = string | { readonly one: string; readonly other: string }
type Strings = Readonly<Record<"en" | "de" | "fr", Readonly<Record<string, Text>>>>

const isStrings = (value: unknown): value is Strings =>
  typeof value === "object" && value !== null && "en" in value && "de" in value && "fr" in value

const modules = await Promise.all(
  files
    .filter(
      (name) =>
        /(^|\/)(strings|\w*Strings|labels|\w+Names)\.ts$|strings\/(shell|common|places)\.ts$/.test(name) &&
        !["strings/strings.ts", "components/strings.ts"].includes(name)
    )
    .map(async (name) => {
      const exported = Object.values(await import(join(sources, name))) as ReadonlyArray<unknown>
      return { name, strings: exported.filter(isStrings) }
    })
)

const placeholdersOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name!).sort()

const formsOf = (text: Text): ReadonlyArray<string> =>
  typeof text === "string" ? [text] : [text.one, text.other]

describe.each(modules)("$name", ({ strings }) => {
  it("has the same placeholders in each language, and no empty string", () => {
    expect(strings.length).toBeGreaterThan(0)
    for (const { en, de, fr } of strings) {
      for (const [key, text] of Object.entries(en)) {
        const expected = placeholdersOf(formsOf(text).at(-1)!)
        for (const language of [en, de, fr]) {
          for (const form of formsOf(language[key]!)) {
            expect(form.trim(), key).not.toBe("")
            // The form for one item need not contain its number.
            const forms = language[key]!
            const isOne = typeof forms !== "string" && form === forms.one && !form.includes("{count}")
            expect(placeholdersOf(form), `${key}: ${form}`).toEqual(
              isOne ? expected.filter((name) => name !== "count") : expected
            )
          }
        }
      }
    }
  })

  it("has no string that nothing uses", () => {
    const code = files
      .filter((name) => !/(strings|Strings|labels|Names|strings\/\w+)\.ts$/.test(name))
      .map((name) => readFileSync(join(sources, name), "utf8"))
      .join("\n")
    /** Keys such as `theme-bold` are used by a template: `theme-${theme}`. */
    const isInTemplate = (key: string): boolean =>
      key.includes("-") && code.includes(`\`${key.slice(0, key.indexOf("-"))}-\${`)
    const unused = strings.flatMap(({ en }) =>
      Object.keys(en).filter(
        (key) => !isInTemplate(key) && !new RegExp(`["'\`.]${key}["'\`]|\\b${key}:`).test(code)
      )
    )
    expect(unused).toEqual([])
  })
})
