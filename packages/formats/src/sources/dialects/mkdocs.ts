/** Converts the Markdown of MkDocs and its extensions: admonitions, tabs, attributes, keys and snippets. */

import { detailsBlock, hintBlock, includeBlock, tabBlock, tabsBlock } from "../../foreign/blocks.ts"
import { closesFence, codeLines, type Fence, fenceOf, indentBy, outsideCode } from "../../foreign/code.ts"

/** The maximum depth of blocks. Deeper ones are text. */
const maximumDepth = 12

const admonition =
  /^([ \t]*)(!!!|\?\?\?\+?)[ \t]+([\w-]+(?:[ \t]+[\w-]+){0,8})?[ \t]*(?:"((?:[^"\\]|\\.)*)")?[ \t]*$/
const tab = /^([ \t]*)===[+!]?[ \t]+"((?:[^"\\]|\\.)*)"[ \t]*$/
const snippet = /^[ \t]*-{1,}8<-{1,}[ \t]+["']([^"'\n]+)["'][ \t]*$/

const widthOf = (line: string): number => /^[ \t]*/.exec(line)![0].replaceAll("\t", "    ").length

/** Removes an indentation of a number of columns. */
const outdent = (line: string, columns: number): string => {
  const expanded = line.replace(/^[ \t]*/, (space) => space.replaceAll("\t", "    "))
  return expanded.slice(Math.min(columns, widthOf(line)))
}

/** Returns the index after the lines that are blank, or indented by at least a number of columns. */
const endOfBody = (lines: ReadonlyArray<string>, start: number, columns: number): number => {
  let end = start
  for (let index = start; index < lines.length; index++) {
    const isBlank = lines[index]!.trim() === ""
    if (!isBlank && widthOf(lines[index]!) < columns) break
    if (!isBlank) end = index + 1
  }
  return end
}

const unescapeTitle = (title: string): string => title.replaceAll(/\\(.)/g, "$1")

const convertBlocks = (lines: ReadonlyArray<string>, depth: number): ReadonlyArray<string> => {
  if (depth > maximumDepth) return lines
  const written: Array<string> = []
  let fence: Fence | undefined
  const bodyOf = (start: number, end: number, columns: number): string =>
    convertBlocks(
      lines.slice(start, end).map((line) => outdent(line, columns)),
      depth + 1
    ).join("\n")
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined
      written.push(line)
      continue
    }
    fence = fenceOf(line)
    const hint = fence === undefined ? admonition.exec(line) : null
    const indent = hint?.[1] ?? tab.exec(line)?.[1] ?? ""
    const columns = widthOf(indent) + 4
    if (hint !== null && (hint[3] ?? hint[4]) !== undefined) {
      const end = endOfBody(lines, index + 1, columns)
      const [kind = "note"] = (hint[3] ?? "note").split(/[ \t]+/)
      const title = hint[4] === undefined ? undefined : unescapeTitle(hint[4])
      const body = bodyOf(index + 1, end, columns)
      const block =
        hint[2] === "!!!"
          ? hintBlock(kind, title, body)
          : detailsBlock(title ?? kind.charAt(0).toUpperCase() + kind.slice(1), body, hint[2] === "???+")
      written.push(indentBy(block, indent))
      index = end - 1
      continue
    }
    if (fence === undefined && tab.test(line)) {
      const tabs: Array<string> = []
      let at = index
      for (
        let found = tab.exec(line);
        found !== null && found[1] === indent;
        found = tab.exec(lines[at] ?? "")
      ) {
        const end = endOfBody(lines, at + 1, columns)
        tabs.push(tabBlock(unescapeTitle(found[2]!), bodyOf(at + 1, end, columns)))
        at = end
        while (at < lines.length && lines[at]!.trim() === "") at++
      }
      written.push(indentBy(tabsBlock(tabs.join("\n")), indent), "")
      index = at - 1
      continue
    }
    written.push(line)
  }
  return written
}

const keys = /\+\+([a-z\d-]+(?:\+[a-z\d-]+){0,6}|"[^"\n]{1,40}")\+\+/gi
const iconPattern = /:(?:material|fontawesome|octicons|simple)-[\w-]+:(?:\{[^{}\n]*\})?/g
const attributes = /(?<=[)\]>`*_])\{:?[ \t]*[.#][^{}\n]{0,300}\}/g
const blockAttributes = /^[ \t]*\{:?[ \t]*[.#][^{}\n]{0,300}\}[ \t]*$/gm
const container = /^[ \t]*<(\/?)(div|figure|section)\b([^<>\n]*)>[ \t]*$/

/** Removes the elements that only lay out the Markdown in them. */
const removeContainers = (text: string): string => {
  const lines = text.split("\n")
  const isCode = codeLines(lines)
  const open: Array<boolean> = []
  return lines
    .flatMap((line, index) => {
      const found = isCode[index] === true ? null : container.exec(line)
      if (found === null) return [line]
      if (found[1] === "") open.push(/\bmarkdown\b/.test(found[3]!))
      const isRemoved = found[1] === "" ? open.at(-1) === true : open.pop() === true
      return isRemoved ? [""] : [line]
    })
    .join("\n")
}

/** Converts the Markdown of a page. The losses are added to `problems`. */
export const convertMkdocs = (text: string, problems: Set<string>): string => {
  const included = text.split("\n").map((line) => {
    const path = snippet.exec(line)?.[1]
    if (path === undefined) return line
    if (path.includes(":")) problems.add("A part of a file that the page includes is omitted.")
    return path.includes(":") ? "" : includeBlock(`/${path}`)
  })
  const blocks = removeContainers(convertBlocks(included, 0).join("\n"))
  return outsideCode(blocks, (part) => {
    if (iconPattern.test(part)) problems.add("Icons of the theme in the text are omitted.")
    iconPattern.lastIndex = 0
    if (/^\*\[[^\]\n]+\]:/m.test(part)) problems.add("Definitions of abbreviations are omitted.")
    return part
      .replaceAll(iconPattern, "")
      .replaceAll(/^\*\[[^\]\n]+\]:[^\n]*\n?/gm, "")
      .replaceAll(/^\[TOC\][ \t]*$/gm, "")
      .replaceAll(/<(div|figure|img|details|a)\b([^<>\n]*?)[ \t]markdown(?:="[^"\n]*")?(?=[ \t>])/g, "<$1$2")
      .replaceAll(attributes, "")
      .replaceAll(blockAttributes, "")
      .replaceAll(keys, (_, names: string) =>
        names
          .replaceAll('"', "")
          .split("+")
          .map((name) => `<kbd>${name.charAt(0).toUpperCase()}${name.slice(1)}</kbd>`)
          .join("+")
      )
  })
}
