/** The headings of a page. */
import { Panel } from "../../components/Panel.tsx"
import type { DocumentPage } from "../../data/content.ts"
import { blocksOf } from "../../document/DocumentView.tsx"
import { anchorOf, textOf } from "../../document/nodes.ts"
import { useStrings } from "../../strings/strings.ts"
import { spaceStrings } from "./strings.ts"

/** The headings of a page, as links. */
const OutlinePanel = ({ page }: { readonly page: DocumentPage }) => {
  const t = useStrings(spaceStrings)
  const headings = blocksOf(page.document).filter(({ type }) => type?.startsWith("heading-") === true)
  return (
    <Panel title={t("outline")}>
      {headings.length === 0 ? (
        <p className="muted">{t("outlineEmpty")}</p>
      ) : (
        <ul className="outline">
          {headings.map((heading) => {
            const anchor = anchorOf(heading)
            return (
              <li key={anchor} className={`outline-${heading.type}`}>
                <a
                  href={`#${anchor}`}
                  onClick={(event) => {
                    event.preventDefault()
                    document.getElementById(anchor)?.scrollIntoView({ behavior: "smooth" })
                  }}
                >
                  {textOf(heading)}
                </a>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

export default OutlinePanel
