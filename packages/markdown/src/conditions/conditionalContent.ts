/**
 * Evaluates conditional content, as in `{% if visitor.claims.beta %}`, for a visitor. It works on the source, so that
 * definitions and footnotes within hidden blocks are removed with them.
 */

import { type Claims, evaluateCondition } from "@lectern/model/conditions"
import { Result } from "effect"
import type { Nodes } from "mdast"
import { isVerbatim, parse, wellFormed } from "../document/syntax.ts"
import { tagIn } from "../document/tags.ts"
import { parseStoredCondition } from "./parsedCondition.ts"
import { parseCondition } from "./parseExpression.ts"

/** A tag of conditional content, with its place in the source. */
interface ConditionTag {
  /** The condition of an opening tag; undefined for a closing one. */
  readonly condition: string | undefined
  readonly start: number
  readonly end: number
  readonly line: number
}

/** A condition that hides its block from every visitor. */
export interface ConditionProblem {
  /** The line of its tag in the Markdown, counted from 1. */
  readonly line: number
  /** The condition as it is written. */
  readonly condition: string
  /** Why the block is hidden. */
  readonly message: string
}

/** Matches a tag of conditional content in HTML. The length is limited, so that matching takes linear time. */
const tagInHtml = /\{%-?[ \t]*(?:if|endif)\b(?:[^%]|%(?!\})){0,2000}%\}/g

/** Returns the tags of conditional content outside of code, in the order of the source. */
const tagsOf = (markdown: string): ReadonlyArray<ConditionTag> => {
  const root = parse(markdown)
  const found: Array<ConditionTag> = []
  const addTag = (source: string, start: number, line: number): void => {
    const tag = tagIn(source)
    if (tag?.name !== "if") return
    found.push({ condition: tag.closes ? undefined : tag.rest, start, end: start + source.length, line })
  }
  const visit = (node: Nodes): void => {
    const { start, end } = node.position ?? {}
    if (node.type === "html" && start?.offset !== undefined && end?.offset !== undefined) {
      const source = markdown.slice(start.offset, end.offset)
      if (tagIn(source) !== undefined) addTag(source, start.offset, start.line)
      else {
        for (const { 0: tag, index } of source.matchAll(tagInHtml)) {
          const line = start.line + source.slice(0, index).split("\n").length - 1
          addTag(tag, start.offset + index, line)
        }
      }
    }
    if ("children" in node) node.children.forEach(visit)
  }
  if (!isVerbatim(root)) visit(root)
  else for (const { 0: tag, index } of markdown.matchAll(tagInHtml)) addTag(tag, index, 1)
  return found.sort((one, other) => one.start - other.start)
}

/** Matches text that may be the tag of a condition. */
const openingTagPattern = /\{%-?\s*if\b/

/** The maximum length of whitespace that is removed with a tag, so that removal takes linear time. */
const maximumIndent = 200

/** Removes ranges of text, which are in order. A line that contained only removed text is removed, too. */
const removeRanges = (
  text: string,
  ranges: ReadonlyArray<{ readonly start: number; readonly end: number }>
): string => {
  let [remaining, from] = ["", 0]
  for (const { start, end } of ranges) {
    const first = Math.max(from, start - maximumIndent)
    const lineBefore = first === 0 || text[first - 1] === "\n" ? "\n" : "."
    const [, indent] = /\n([ \t]*)$/.exec(lineBefore + text.slice(first, start)) ?? []
    const [rest] = /^[ \t]*(?:\n|$)/.exec(text.slice(end, end + maximumIndent)) ?? []
    const isWholeLine = indent !== undefined && rest !== undefined
    remaining += text.slice(from, Math.max(from, isWholeLine ? start - indent.length : start))
    from = isWholeLine ? end + rest.length : end
  }
  return remaining + text.slice(from)
}

/**
 * Returns the Markdown that a visitor with these claims can see: without the blocks whose conditions are false, and
 * without the tags of the others. A condition that is malformed is false, and a block that is not closed extends to the
 * end of the page.
 *
 * @example
 * markdownForVisitor("{% if visitor.claims.beta %}\nNew\n{% endif %}\n", { beta: true }) // "New\n"
 */
export const markdownForVisitor = (markdown: string, claims: Claims): string => {
  if (!openingTagPattern.test(markdown)) return markdown
  const text = wellFormed(markdown)
  const tags = tagsOf(text)
  const isVisible = (condition: string): boolean => {
    const expression = parseStoredCondition(condition)
    return expression !== undefined && evaluateCondition(expression, claims)
  }
  const removed: Array<{ start: number; end: number }> = []
  const open: Array<{ readonly tag: ConditionTag; readonly isHidden: boolean }> = []
  for (const tag of tags) {
    const isHidden = open.at(-1)?.isHidden === true
    if (tag.condition !== undefined) {
      open.push({ tag, isHidden: isHidden || !isVisible(tag.condition) })
      if (!isHidden) removed.push({ start: tag.start, end: tag.end })
      continue
    }
    const closed = open.pop()
    const isStillHidden = open.at(-1)?.isHidden === true
    if (isStillHidden) continue
    if (closed?.isHidden === true) removed.at(-1)!.end = tag.end
    else removed.push({ start: tag.start, end: tag.end })
  }
  const unclosed = open[0]?.tag.start
  const closedRanges = removed.filter(({ start }) => unclosed === undefined || start < unclosed)
  if (unclosed !== undefined) closedRanges.push({ start: unclosed, end: text.length })
  return removeRanges(text, closedRanges)
}

/** Returns the number of conditions that Markdown has, outside of code. */
export const countConditions = (markdown: string): number =>
  openingTagPattern.test(markdown)
    ? tagsOf(wellFormed(markdown)).filter(({ condition }) => condition !== undefined).length
    : 0

const conditionError = (condition: string): string | undefined => {
  const parsed = parseCondition(condition)
  return Result.isFailure(parsed) ? parsed.failure : undefined
}

/** Returns the conditions of Markdown that hide their blocks from every visitor, for its editors. */
export const conditionProblems = (markdown: string): ReadonlyArray<ConditionProblem> => {
  const problems: Array<ConditionProblem> = []
  const open: Array<ConditionTag & { readonly condition: string }> = []
  for (const { condition, ...place } of tagsOf(wellFormed(markdown))) {
    if (condition === undefined) {
      open.pop()
      continue
    }
    open.push({ ...place, condition })
    const message = conditionError(condition)
    if (message !== undefined) problems.push({ line: place.line, condition, message })
  }
  for (const { line, condition } of open) {
    problems.push({ line, condition, message: "has no closing tag `{% endif %}`" })
  }
  return problems.sort((one, other) => one.line - other.line)
}
