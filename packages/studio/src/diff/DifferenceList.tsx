/** The changes between two revisions: page by page, with the difference of each, and files and reusable contents. */
import type { SemanticChange } from "@lectern/client/fetch"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { useActions } from "../actions/actions.ts"
import { readStored, writeStored } from "../store/store.ts"
import { useStrings } from "../strings/strings.ts"
import { byPage, type ChangedPage, type Comparison, isPageChange } from "./comparison.ts"
import type { BlockCommenting, DiffLayout } from "./DiffView.tsx"
import { FileDifference, ReusableDifference } from "./OtherDifference.tsx"
import { PageDifference } from "./PageDifference.tsx"
import { diffStrings } from "./strings.ts"

const layouts = ["inline", "side"] as const

const readLayout = (): DiffLayout => (readStored("diffLayout") === "side" ? "side" : "inline")

/** Properties of {@link DifferenceList}. */
export interface DifferenceListProps {
  readonly comparison: Comparison
  readonly changes: ReadonlyArray<SemanticChange>
  /** Displays controls in the header of a page. */
  readonly controls?: (page: ChangedPage) => ReactNode
  /** Displayed below the difference of a page, such as its comments. */
  readonly footer?: (page: ChangedPage) => ReactNode
  /** Begins a comment on a block of a page. */
  readonly onComment?: ((page: string) => BlockCommenting) | undefined
}

const useSteps = () => {
  const t = useStrings(diffStrings)
  const container = useRef<HTMLDivElement>(null)
  const step = (direction: 1 | -1) => {
    const sections = [...(container.current?.querySelectorAll<HTMLElement>(".change") ?? [])]
    const focused = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>(".change")
    const index = focused === null || focused === undefined ? -1 : sections.indexOf(focused)
    const next = sections[index < 0 ? (direction > 0 ? 0 : sections.length - 1) : index + direction]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: "start", behavior: "smooth" })
  }
  useActions([
    { id: "change.next", label: t("nextChange"), shortcut: "j", run: () => step(1) },
    { id: "change.previous", label: t("previousChange"), shortcut: "k", run: () => step(-1) }
  ])
  return container
}

/** The changes between two revisions. `j` and `k` go to the next and to the previous one. */
export const DifferenceList = ({ comparison, changes, controls, footer, onComment }: DifferenceListProps) => {
  const t = useStrings(diffStrings)
  const [layout, setLayout] = useState(readLayout)
  const container = useSteps()
  useEffect(() => writeStored("diffLayout", layout), [layout])
  return (
    <>
      <fieldset className="segments">
        <legend className="visually-hidden">{t("view")}</legend>
        {layouts.map((name) => (
          <label key={name} className="segment">
            <input type="radio" name="layout" checked={layout === name} onChange={() => setLayout(name)} />
            {name === "inline" ? t("inline") : t("sideBySide")}
          </label>
        ))}
      </fieldset>
      <div ref={container}>
        {byPage(changes).map((page) => (
          <PageDifference
            key={page.id}
            comparison={comparison}
            page={page}
            layout={layout}
            controls={controls?.(page)}
            footer={footer?.(page)}
            onComment={onComment?.(page.id)}
          />
        ))}
        {changes.map((change) => {
          if (isPageChange(change)) return null
          return "file" in change ? (
            <FileDifference key={change.file.id} change={change} />
          ) : (
            <ReusableDifference
              key={change.reusableContent.id}
              comparison={comparison}
              change={change}
              layout={layout}
            />
          )
        })}
      </div>
    </>
  )
}
