/** The icons of the application, which a command generates from `lucide-react`. */
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import * as icons from "../../packages/studio/src/icons/icons.gen.ts"
import { importedIcons, renderLucide } from "./icons.ts"

it("has the icons that the application imports: npm run icons", () => {
  expect(Object.keys(icons).sort()).toEqual(importedIcons())
})

it("has the markup of lucide-react, with each property that the application sets", () => {
  const properties = [
    {},
    { size: 14 },
    { size: 36, className: "spin", "aria-label": "Search" },
    { role: "img" },
    { "aria-hidden": true, strokeWidth: 3 },
    { width: 10, height: 12 }
  ]
  for (const [name, icon] of Object.entries(icons)) {
    for (const props of properties) {
      expect(renderToStaticMarkup(createElement(icon, props))).toBe(renderLucide(name, props))
    }
  }
})
