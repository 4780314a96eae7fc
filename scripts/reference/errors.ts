/** The reference of errors, from the doc comments of their classes. */
import { readFileSync } from "node:fs"
import { NotFound } from "@lectern/core"
import { type Page, pageOf, tableOf } from "./Page.ts"

const classPattern = /export class (\w+) extends Schema\.TaggedError/g

/** Returns the error classes of a source with their doc comments and their statuses. */
const findClasses = (source: string) =>
  [...source.matchAll(classPattern)].map(({ 1: name, index }) => ({
    name: name!,
    comment: source.slice(source.lastIndexOf("/**", index) + 3, source.lastIndexOf("*/", index)),
    status: /httpApiStatus: (\d+)/.exec(source.slice(index))![1]!
  }))

/** Returns the sentences of a comment, and the reasons that it lists. */
const parseComment = (comment: string) => {
  const lines = comment.split("\n").map((line) => line.replace(/^ \* ?/, "").trimEnd())
  const reasons: Array<readonly [string, string]> = []
  const text: Array<string> = []
  for (const line of lines) {
    const item = /^- (.+?): (.*)$/.exec(line)
    const last = reasons.at(-1)
    if (item !== null) reasons.push([item[1]!, item[2]!])
    else if (last !== undefined && line.startsWith("  "))
      reasons[reasons.length - 1] = [last[0], `${last[1]} ${line.trim()}`]
    else text.push(line)
  }
  return { text: text.join(" ").trim(), reasons }
}

/** Generates the page. */
export const generateErrors = (): Page => {
  const source = readFileSync("packages/model/src/errors/errors.ts", "utf8")
  const sections = findClasses(source).flatMap(({ name, comment, status }) => {
    const { text, reasons } = parseComment(comment)
    return [
      `## ${name} (${status})`,
      text,
      reasons.length === 0 ? "" : tableOf(["reason", "cause"], reasons),
      name === "NotFound"
        ? `Reasons: ${NotFound.fields.reason.literals.map((reason) => `\`${reason}\``).join(", ")}.`
        : ""
    ]
  })
  if (sections.length < 20) throw new Error("The error classes of errors/errors.ts are not parsed.")
  return pageOf("docs/reference/errors.md", [
    "# Errors",
    'Every error has a class, a `reason` from a closed list, and a message. HTTP responses have the body `{ "error": { "code", "reason", "message" } }` with the status of the class; in a program, the error has the class as `_tag`. Match reasons, not messages: messages can change. This page is generated from the classes.',
    ...sections
  ])
}
