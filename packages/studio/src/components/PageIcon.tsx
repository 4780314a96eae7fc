/** The emoji or the icon of a page, as published pages display it. */
import { lazy, type ReactNode, Suspense } from "react"
import { waitForTree } from "../data/displayedTree.ts"
import { Emoji } from "./Emoji.tsx"

const Icon = lazy(async () => {
  await waitForTree()
  const { Icon } = await import("../document/Icon.tsx")
  return { default: Icon }
})

/** The emoji or the icon of a page, or another one by default. */
export const PageIcon = ({
  page,
  fallback
}: {
  readonly page: { readonly emoji?: string | undefined; readonly icon?: string | undefined } | undefined
  readonly fallback: ReactNode
}) =>
  page?.icon === undefined || page.icon === "" || (page.emoji ?? "") !== "" ? (
    <Emoji emoji={page?.emoji} fallback={fallback} />
  ) : (
    <Suspense fallback={fallback}>
      <Icon name={page.icon} />
    </Suspense>
  )
