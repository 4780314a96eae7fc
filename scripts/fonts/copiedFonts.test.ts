/** The copies of fonts equal the fonts of their packages. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { copiedFonts, pathOf } from "./copiedFonts.ts"

it("has the bytes of the fonts and licenses of their packages, and no other files: npm run fonts", () => {
  for (const [source, target] of copiedFonts) {
    expect(readFileSync(target).equals(readFileSync(pathOf(source))), target).toBe(true)
  }
  const targets = copiedFonts.map(([, target]) => target)
  for (const folder of new Set(targets.map(dirname))) {
    for (const name of readdirSync(folder)) expect(targets).toContain(join(folder, name))
  }
})
