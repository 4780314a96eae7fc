/** The construction of HTML and URLs. */
import fc from "fast-check"
import { parseFragment } from "parse5"
import { describe, expect, it } from "vitest"
import { contrast, parseColor, readableOn, textOn } from "../src/assets/colors.ts"
import { element, fragment } from "../src/html/Html.ts"
import { encodePath, externalUrl, relativeUrl, resourceUrl } from "../src/html/urls.ts"

describe("HTML", () => {
  it("escapes text and attribute values, so that a parser returns them unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), (text, value) => {
        const clean = (given: string) => given.replace(/(?![\t\n])\p{Cc}/gu, "")
        const [parsed] = parseFragment(element("p", { title: value }, text).text).childNodes
        if (parsed === undefined || !("attrs" in parsed)) throw new Error("no element")
        const [content] = parsed.childNodes
        expect(parsed.attrs).toEqual([{ name: "title", value: clean(value).toWellFormed() }])
        expect(content !== undefined && "value" in content ? content.value : "").toBe(clean(text))
        expect(parsed.childNodes.length).toBeLessThanOrEqual(1)
      })
    )
  })

  it.each(["onclick", "onerror", "style", "srcdoc", "a b", 'a"b', "ONLOAD"])(
    "rejects the attribute %s",
    (name) => {
      expect(() => element("p", { [name]: "x" })).toThrow(TypeError)
    }
  )

  it.each(["script", "style", "base", "object", "p onload"])("rejects the element %s", (name) => {
    expect(() => element(name as "p", {})).toThrow(TypeError)
  })

  it("omits undefined and false content", () => {
    expect(fragment(undefined, false, ["a", [1, undefined]]).text).toBe("a1")
  })
})

const segment = fc.stringMatching(/^[\p{L}\p{N}._~+-]{1,8}$/u).filter((text) => !/^\.{1,2}$/.test(text))
const path = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.boolean())
  .map(
    ([segments, isFolder]) => `${encodePath(segments.join("/"))}${isFolder && segments.length > 0 ? "/" : ""}`
  )

describe("relative URLs", () => {
  it("lead to their target from every page, at every mount point", () => {
    fc.assert(
      fc.property(
        path,
        path,
        fc.constantFrom("https://a.example/", "https://a.example/docs/sites/x/"),
        (from, to, root) => {
          expect(new URL(relativeUrl(from, to), root + from).href).toBe(new URL(root + to).href)
        }
      )
    )
  })

  it("retain the query and the anchor", () => {
    expect(relativeUrl("a/b", "a/c?q=1#x")).toBe("c?q=1#x")
    expect(relativeUrl("", "")).toBe("./")
    expect(relativeUrl("a/b", "")).toBe("../")
  })
})

describe("URLs of documents", () => {
  it("have a scheme that executes nothing", () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc
        .tuple(
          fc.constantFrom("javascript", "data", "vbscript", "blob", "file", "https", "mailto"),
          fc.string()
        )
        .map(([scheme, rest]) => `${scheme}:${rest}`)
    )
    fc.assert(
      fc.property(text, (given) => {
        expect(externalUrl(given) ?? "https:").toMatch(/^(https?|mailto|tel):/)
        expect(resourceUrl(given) ?? "https:").toMatch(/^https?:/)
      })
    )
  })
})

describe("colors", () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`)

  it("have the required contrast with their background", () => {
    fc.assert(
      fc.property(color, fc.constantFrom("#ffffff", "#eef1f5", "#1c2028", "#000000"), (given, background) => {
        expect(
          contrast(parseColor(readableOn(given, background, 4.5)), parseColor(background))
        ).toBeGreaterThanOrEqual(4.5)
        expect(contrast(parseColor(textOn(given)), parseColor(given))).toBeGreaterThanOrEqual(4.5)
      })
    )
  })

  it("do not change if their contrast suffices", () => {
    expect(readableOn("#123456", "#ffffff", 4.5)).toBe("#123456")
  })
})
