/** The settings of a page as the fields of a form, and the change of them. */
import type { ContentChange, PageLayout } from "@lectern/client/fetch"
import type { DocumentPage } from "../../data/content.ts"

/** The fields of the form. */
export interface PageSettings {
  readonly title: string
  readonly emoji: string
  readonly icon: string
  readonly description: string
  readonly slug: string
  readonly hidden: boolean
  readonly noIndex: boolean
  readonly noRobotsIndex: boolean
  readonly condition: string
  readonly layout: PageLayout
  readonly cover: DocumentPage["cover"] | undefined
}

/** Returns the settings of a page. */
export const settingsOf = ({
  title,
  emoji = "",
  icon = "",
  description = "",
  slug,
  hidden = false,
  noIndex = false,
  noRobotsIndex = false,
  condition = "",
  layout,
  cover
}: DocumentPage): PageSettings => ({
  title,
  emoji,
  icon,
  description,
  slug,
  hidden,
  noIndex,
  noRobotsIndex,
  condition,
  layout,
  cover
})

/** Returns the change from settings to others, with only what differs; `undefined` if nothing does. */
export const changeOfSettings = (
  page: string,
  before: PageSettings,
  after: PageSettings
): ContentChange | undefined => {
  const { condition, cover, layout, ...fields } = after
  const changed = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => before[name as keyof PageSettings] !== value)
  )
  const changedLayout = Object.fromEntries(
    Object.entries(layout).filter(([name, value]) => before.layout[name as keyof PageLayout] !== value)
  )
  const change: ContentChange = {
    operation: "update_page",
    page,
    ...changed,
    ...(condition.trim() === before.condition
      ? {}
      : { condition: condition.trim() === "" ? null : condition.trim() }),
    ...(Object.keys(changedLayout).length === 0 ? {} : { layout: changedLayout }),
    ...(JSON.stringify(cover) === JSON.stringify(before.cover) ? {} : { cover: cover ?? null })
  }
  return Object.keys(change).length > 2 ? change : undefined
}
