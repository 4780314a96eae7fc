/** The images of pages in previews of links. */
import { defaultCustomization } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { keyOfPiece, makePieces } from "../src/highlight/Pieces.ts"
import type { ReadableSite } from "../src/site/ReadableSite.ts"
import { socialSvg } from "../src/site/socialImage.ts"

const site = { title: "Acme", customization: defaultCustomization } as ReadableSite
const pieces = makePieces()
afterAll(() => pieces.close())

const png = async (svg: string): Promise<Buffer> => {
  const piece = { kind: "image", svg } as const
  const { pieces: rendered } = await pieces.render([piece], 60_000)
  return Buffer.from(String(rendered.get(keyOfPiece(piece))), "base64")
}

describe("the image of a page", () => {
  it("is a PNG of 1200 by 630 pixels, which differs by title", async () => {
    const [one, other] = [
      await png(socialSvg(site, { title: "Install <it> & run", description: "In five minutes." })!),
      await png(socialSvg(site, { title: "Другая страница" })!)
    ]
    for (const image of [one, other]) {
      expect(image.subarray(1, 4).toString()).toBe("PNG")
      expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([1_200, 630])
    }
    expect(one.equals(other)).toBe(false)
  })

  it("escapes its text, and stays within its lines", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 300 })
    fc.assert(
      fc.property(text, text, (title, description) => {
        const svg = socialSvg(site, { title, description })
        if (svg === undefined) return
        const lines = [...svg.matchAll(/<text [^<>]*>([^<>]*)<\/text>/g)]
        expect(svg.match(/</g)).toHaveLength(2 + 2 + 2 * lines.length)
        expect(lines.length).toBeLessThanOrEqual(1 + 5)
      }),
      runs(200)
    )
  })

  it("is absent for scripts that the font does not have", () => {
    expect(socialSvg(site, { title: "日本語" })).toBeUndefined()
    expect(socialSvg(site, { title: "" })).toBeUndefined()
    expect(socialSvg(site, { title: "🚀 Start" })).toContain(">Start<")
  })
})
