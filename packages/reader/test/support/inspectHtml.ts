/** Finds everything in HTML that a browser could execute. */
import { type DefaultTreeAdapterMap, parse } from "parse5"

type Node = DefaultTreeAdapterMap["node"]

const forbiddenElements = new Set(
  "script style base object embed applet frame frameset meta link foreignobject animate set use handler noscript".split(
    " "
  )
)

/** The attributes whose values are URLs. */
const urlAttributes = new Set(
  "href src action formaction poster cite background data xlink:href ping srcset".split(" ")
)

/** Matches URLs with a scheme that executes nothing, and relative URLs. */
const safeUrl = /^(?:https?:|mailto:|tel:|#|\.{0,2}\/|[^:]*$)/i

/** Returns the findings in the content of a page: elements that execute, event handlers, and URLs of other schemes. */
export const executableParts = (html: string): ReadonlyArray<string> => {
  const findings: Array<string> = []
  const visit = (node: Node): void => {
    if ("tagName" in node) {
      if (forbiddenElements.has(node.tagName.toLowerCase())) findings.push(`<${node.tagName}>`)
      for (const { name, value } of node.attrs) {
        if (/^on/i.test(name) || name === "style" || name === "srcdoc")
          findings.push(`${node.tagName} ${name}`)
        if (urlAttributes.has(name) && !safeUrl.test(value.trim())) findings.push(`${name}=${value}`)
      }
      if (node.tagName === "iframe") {
        const attribute = (name: string) => node.attrs.find((one) => one.name === name)?.value ?? ""
        if (!attribute("src").startsWith("https://") || !attribute("sandbox").includes("allow-scripts")) {
          findings.push("an iframe without a sandbox")
        }
      }
      if (node.nodeName === "template" && "content" in node) visit(node.content)
    }
    if ("childNodes" in node) node.childNodes.forEach(visit)
  }
  visit(parse(`<!doctype html><html><head></head><body>${html}</body></html>`))
  return findings
}
