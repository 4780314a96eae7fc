/** Blocks of code: their lines with colors, numbers and a button that copies them. */
import type { Ranges } from "@lectern/editor/content"
import { type ReactNode, useEffect, useState } from "react"
import { useStrings } from "../strings/strings.ts"
import { Icon } from "./Icon.tsx"
import { type BlockNode, stringOf, textOf } from "./nodes.ts"
import { RawHtml } from "./RawHtml.tsx"
import { documentStrings } from "./strings.ts"

const noColors: Ranges = []

const useColors = (syntax: string, text: string): Ranges => {
  const [colors, setColors] = useState({ syntax, text, ranges: noColors })
  useEffect(() => {
    if (syntax === "") return
    let isActive = true
    import("@lectern/editor/content")
      .then(({ colorsOf }) => colorsOf(syntax.toLowerCase(), text))
      .then((ranges) => {
        if (isActive) setColors({ syntax, text, ranges })
      })
      .catch(() => undefined)
    return () => {
      isActive = false
    }
  }, [syntax, text])
  return colors.syntax === syntax && colors.text === text ? colors.ranges : noColors
}

/** Returns the content of each line. Ranges are in their order, and do not overlap. */
const linesOf = (text: string, ranges: Ranges): ReadonlyArray<ReactNode> => {
  let start = 0
  let next = 0
  return text.split("\n").map((line) => {
    const end = start + line.length
    const parts: Array<ReactNode> = []
    let at = start
    while (next < ranges.length && ranges[next]![1] <= start) next++
    for (let one = next; one < ranges.length && ranges[one]![0] < end; one++) {
      const [from, to, name] = ranges[one]!
      const [first, last] = [Math.max(from, at), Math.min(to, end)]
      if (first >= last) continue
      parts.push(
        text.slice(at, first),
        <span key={first} className={name}>
          {text.slice(first, last)}
        </span>
      )
      at = last
    }
    parts.push(text.slice(at, end))
    start = end + 1
    return parts
  })
}

const CopyButton = ({ text }: { readonly text: string }) => {
  const t = useStrings(documentStrings)
  const [isDone, setIsDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setIsDone(true)
  }
  return (
    <button
      type="button"
      className={isDone ? "copy done" : "copy"}
      aria-label={t(isDone ? "copied" : "copy")}
      onClick={() => void copy().catch(() => undefined)}
      onBlur={() => setIsDone(false)}
    >
      <Icon name={isDone ? "check" : "copy"} />
    </button>
  )
}

/** Properties of {@link CodeFigure}. */
export interface CodeFigureProps {
  readonly text: string
  readonly syntax?: string
  readonly title?: string
  /** Further classes, such as that of numbered lines. */
  readonly className?: string
  /** The indexes of the lines that are emphasized. */
  readonly highlighted?: ReadonlySet<number>
}

/** Code with its title. */
export const CodeFigure = ({
  text: source,
  syntax = "",
  title = "",
  className = "",
  highlighted
}: CodeFigureProps) => {
  const t = useStrings(documentStrings)
  const text = source.replace(/\n$/, "")
  const lines = linesOf(text, useColors(syntax, text))
  return (
    <figure className={`code${className}`} dir="ltr">
      {title === "" ? null : <figcaption>{title}</figcaption>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by the keyboard. */}
      <pre tabIndex={0} role="group" aria-label={title === "" ? t("code") : title}>
        <code>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity.
            <span key={index} className={highlighted?.has(index) === true ? "line highlighted" : "line"}>
              {line}
              {index < lines.length - 1 ? "\n" : ""}
            </span>
          ))}
        </code>
      </pre>
      <CopyButton text={text} />
    </figure>
  )
}

/** A block of code, or a part of the Markdown that no block represents. */
export const CodeView = ({ node }: { readonly node: BlockNode }) => {
  const { nodes = [], data = {} } = node
  const text = nodes.map(textOf).join("\n")
  if (data.markdown === "html") return <RawHtml source={text} />
  if (data.markdown === "tag") return null
  if (data.markdown === "verbatim") return <div className="verbatim">{text}</div>
  return (
    <CodeFigure
      text={text}
      syntax={stringOf(data.syntax)}
      title={stringOf(data.title)}
      className={`${data.lineNumbers === true ? " numbered" : ""}${data.overflow === "wrap" ? " wraps" : ""}`}
      highlighted={new Set(nodes.flatMap((line, index) => (line.data?.highlighted === true ? [index] : [])))}
    />
  )
}
