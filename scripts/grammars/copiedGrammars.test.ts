/** The copies of grammars are the grammars of their package. */
import { expect, it } from "vitest"
import { hasGrammar, readGrammars } from "../../packages/reader/src/highlight/grammars.ts"
import { readPackageGrammars } from "./copiedGrammars.ts"

it("has each grammar of the package: npm run grammars", async () => {
  const { texts, languages } = await readPackageGrammars()
  expect(texts.size).toBeGreaterThan(200)
  for (const [language, names] of Object.entries(languages)) {
    expect(hasGrammar(language), language).toBe(true)
    expect(
      readGrammars(language).map((grammar) => JSON.stringify(grammar)),
      language
    ).toEqual(names.map((name) => texts.get(name)))
  }
})

it("has no grammar of another name", () => {
  expect(["toString", "constructor", "nothing", ""].filter(hasGrammar)).toEqual([])
})
