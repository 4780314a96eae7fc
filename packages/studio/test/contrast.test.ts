/** The contrast of the tokens of design: at least 4.5:1 for text and 3:1 for controls, light and dark. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openBrowser } from "./support/browser.ts"

const styles = readFileSync(fileURLToPath(new URL("../src/theme/tokens.css", import.meta.url)), "utf8")

/** Pairs of a color and its background, with the minimum contrast. */
const pairs: ReadonlyArray<readonly [color: string, background: string, minimum: number]> = [
  ...["background", "surface", "surface-strong"].flatMap((background) => [
    ["text", background, 4.5] as const,
    ["heading", background, 4.5] as const,
    ["muted", background, 4.5] as const,
    ["link", background, 4.5] as const
  ]),
  ["on-primary", "primary", 4.5],
  ["danger-text", "background", 4.5],
  ["danger-text", "deleted", 4.5],
  ["success-text", "inserted", 4.5],
  ["warning-text", "background", 4.5],
  ["text", "inserted", 4.5],
  ["text", "inserted-strong", 4.5],
  ["text", "deleted", 4.5],
  ["text", "deleted-strong", 4.5],
  ["control", "background", 3],
  ["primary", "background", 3]
]

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const luminanceOf = (channels: ReadonlyArray<number>): number => {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const value = channel / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrastOf = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number => {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

describe.each(["light", "dark"] as const)("the %s theme", (colorScheme) => {
  it("has enough contrast for each pair in use", async () => {
    const page = await browser.newPage({ colorScheme })
    await page.setContent(`<style>${styles}</style><canvas></canvas>`)
    const names = [
      ...new Set(pairs.map(([color]) => color).concat(pairs.map(([, background]) => background)))
    ]
    const colors = await page.evaluate((tokens) => {
      const context = document.querySelector("canvas")!.getContext("2d", { willReadFrequently: true })!
      const element = document.createElement("div")
      document.body.append(element)
      return Object.fromEntries(
        tokens.map((name) => {
          element.style.color = `var(--${name})`
          context.clearRect(0, 0, 1, 1)
          context.fillStyle = getComputedStyle(element).color
          context.fillRect(0, 0, 1, 1)
          return [name, [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]]
        })
      )
    }, names)
    const weak = pairs.flatMap(([color, background, minimum]) => {
      const contrast = contrastOf(colors[color]!, colors[background]!)
      return contrast < minimum ? [`${color} on ${background}: ${contrast.toFixed(2)}`] : []
    })
    expect(weak).toEqual([])
    await page.close()
  })
})
