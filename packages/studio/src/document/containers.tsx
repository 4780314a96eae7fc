/** Blocks that contain blocks, with the elements of published pages. */
import { type KeyboardEvent, useId, useState } from "react"
import { useStore } from "../store/store.ts"
import { localeStore, useStrings } from "../strings/strings.ts"
import { Blocks } from "./Blocks.tsx"
import { Icon } from "./Icon.tsx"
import { Inlines } from "./Inlines.tsx"
import { type BlockNode, fragmentOf, stringOf } from "./nodes.ts"
import { documentStrings } from "./strings.ts"

interface NodeProps {
  readonly node: BlockNode
}

const hintIcons = {
  info: "circle-info",
  success: "circle-check",
  warning: "circle-exclamation",
  danger: "triangle-exclamation"
} as const

const isHintStyle = (style: unknown): style is keyof typeof hintIcons =>
  typeof style === "string" && Object.hasOwn(hintIcons, style)

const percentClass = (length: unknown): string => {
  const { unit, value } = (length ?? {}) as { readonly unit?: unknown; readonly value?: unknown }
  if (unit !== "%" || typeof value !== "number") return ""
  return ` w-${Math.min(100, Math.max(5, Math.round(value / 5) * 5))}`
}

/** A box that emphasizes its blocks. */
export const Hint = ({ node }: NodeProps) => {
  const t = useStrings(documentStrings)
  const style = isHintStyle(node.data?.style) ? node.data.style : "info"
  return (
    <div className={`hint ${style}`} role="note" aria-label={t(style)}>
      <div className="hint-icon">
        <Icon name={stringOf(node.data?.icon) || hintIcons[style]} />
      </div>
      <div className="hint-body">
        <Blocks nodes={node.nodes ?? []} />
      </div>
    </div>
  )
}

/** Tabs, of which the first one is selected. */
export const Tabs = ({ node }: NodeProps) => {
  const t = useStrings(documentStrings)
  const id = useId()
  const [selected, setSelected] = useState(0)
  const { nodes: tabs = [] } = node
  const current = Math.min(selected, tabs.length - 1)
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const targets = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tabs.length - 1 }
    const target = targets[event.key as keyof typeof targets]
    if (target === undefined) return
    event.preventDefault()
    const next = (target + tabs.length) % tabs.length
    setSelected(next)
    document.getElementById(`${id}-tab-${next}`)?.focus()
  }
  return (
    <div className="tabs">
      <div className="tab-list" role="tablist">
        {tabs.map((tab, index) => (
          <button
            key={tab.key ?? index}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={index === current}
            tabIndex={index === current ? 0 : -1}
            onClick={() => setSelected(index)}
            onKeyDown={move}
          >
            {stringOf(tab.data?.icon) === "" ? null : <Icon name={stringOf(tab.data?.icon)} />}
            {stringOf(tab.data?.title) || t("tab", { number: index + 1 })}
          </button>
        ))}
      </div>
      {tabs.map((tab, index) => (
        <section
          key={tab.key ?? index}
          id={`${id}-panel-${index}`}
          className="tab-panel"
          role="tabpanel"
          aria-labelledby={`${id}-tab-${index}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel of a tab is reachable by the keyboard.
          tabIndex={0}
          hidden={index !== current}
        >
          <Blocks nodes={tab.nodes ?? []} />
        </section>
      ))}
    </div>
  )
}

/** A numbered sequence of steps. */
export const Stepper = ({ node }: NodeProps) => (
  <ol className="stepper">
    {(node.nodes ?? []).map((step, index) => {
      const icon = stringOf(step.data?.icon)
      return (
        <li key={step.key ?? index} className={icon === "" ? undefined : "with-icon"}>
          {icon === "" ? null : (
            <span className="step-icon">
              <Icon name={icon} />
            </span>
          )}
          <div className="step-body">
            <Blocks nodes={step.nodes ?? []} />
          </div>
        </li>
      )
    })}
  </ol>
)

/** Columns next to each other. */
export const Columns = ({ node }: NodeProps) => (
  <div className="columns">
    {(node.nodes ?? []).map((column, index) => {
      const align = stringOf(column.data?.verticalAlignment)
      return (
        <div
          key={column.key ?? index}
          className={`column${percentClass(column.data?.width)}${align === "" ? "" : ` valign-${align}`}`}
        >
          <Blocks nodes={column.nodes ?? []} />
        </div>
      )
    })}
  </div>
)

const Day = ({ date }: { readonly date: string }) => {
  const locale = useStore(localeStore)
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  return (
    <time dateTime={date}>
      {Number.isNaN(time)
        ? date
        : new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(time)}
    </time>
  )
}

/** A changelog. */
export const Updates = ({ node }: NodeProps) => (
  <div className="updates">
    {(node.nodes ?? []).map((update, index) => {
      const date = stringOf(update.data?.date)
      const tags = Array.isArray(update.data?.tags) ? update.data.tags.map(String) : []
      return (
        <article key={update.key ?? index} className="update" id={date === "" ? undefined : `update-${date}`}>
          <div className="update-meta">
            {date === "" ? null : (
              <a href={`#update-${date}`}>
                <Day date={date} />
              </a>
            )}
            {tags.length === 0 ? null : (
              <ul className="badges">
                {tags.map((tag) => (
                  <li key={tag} className="badge">
                    {tag.trim()}
                  </li>
                ))}
              </ul>
            )}
          </div>
          <div className="update-body">
            <Blocks nodes={update.nodes ?? []} />
          </div>
        </article>
      )
    })}
  </div>
)

/** Blocks that are expanded by their title. */
export const Expandable = ({ node }: NodeProps) => (
  <details className="expandable" open={node.open === true}>
    <summary>
      <Icon name="chevron-right" />
      <span>
        {fragmentOf(node, "expandable-title").map((block, index) => (
          <Inlines key={block.key ?? index} nodes={block.nodes ?? []} />
        ))}
      </span>
    </summary>
    <div className="expandable-body">
      <Blocks nodes={fragmentOf(node, "expandable-body")} />
    </div>
  </details>
)

/** Blocks with a condition, which is displayed with them, as in previews of sites. */
export const Condition = ({ node }: NodeProps) => (
  <div className="condition">
    <p>
      <code>{stringOf(node.data?.expression)}</code>
    </p>
    <Blocks nodes={node.nodes ?? []} />
  </div>
)
