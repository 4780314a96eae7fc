/** Lists of an organization, which are loaded as a whole. */
import type { PageCursor } from "@lectern/client/fetch"
import { useEffect } from "react"
import { loadAll, pageSize } from "./organization.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The query of one page of a list. */
type PageQuery = PageCursor & { readonly limit: number }

/** A page of a list. */
interface ListPage<Item> {
  readonly items: ReadonlyArray<Item>
  readonly next?: { readonly page: string }
}

/** All items of a list. Without a key, nothing is loaded. */
export const useList = <Item>(
  key: string | undefined,
  listPage: (query: PageQuery, signal: AbortSignal) => Promise<ListPage<Item>>
): Resource<ReadonlyArray<Item>> =>
  useResource(key, (signal) => loadAll<Item>((cursor) => listPage({ limit: pageSize, ...cursor }, signal)))

/** Loads a resource again every `intervalMs`, while something is going on. */
export const usePolling = ({ reload }: Resource<unknown>, isActive: boolean, intervalMs = 1_000): void => {
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(reload, intervalMs)
    return () => clearInterval(timer)
  }, [reload, isActive, intervalMs])
}
