/** The columns that lists of integrations are filtered by, derived from their manifests. */

import type { Manifest } from "@lectern/model/integrations"
import { folded } from "@lectern/model/schema"
import { encodeSet } from "../../storage/textSet.ts"
import type { IntegrationRow } from "./integrationTables.ts"

/** The columns that are derived from the name and the manifest. */
export type Facets = Pick<
  IntegrationRow,
  "visibility" | "folded" | "categories" | "scopes" | "blockDomains" | "hasBlocks" | "hasContentSources"
>

/** The domains of URL patterns such as `https://www.figma.com/*`. */
const domainsOf = ({ blocks = [] }: Manifest): ReadonlySet<string> =>
  new Set(
    blocks
      .flatMap(({ urlUnfurl = [] }) => urlUnfurl)
      .flatMap((pattern) => /^(?:[a-z*]+:\/\/)?(?:\*\.)?([^/:*?#]+)/i.exec(pattern)?.[1]?.toLowerCase() ?? [])
  )

/** Derives the filter columns of an integration. */
export const facetsOf = (name: string, manifest: Manifest): Facets => ({
  visibility: manifest.visibility,
  folded: folded(`${name}\n${manifest.title}`),
  categories: encodeSet(manifest.categories),
  scopes: encodeSet(manifest.scopes),
  blockDomains: encodeSet(domainsOf(manifest)),
  hasBlocks: (manifest.blocks ?? []).length > 0,
  hasContentSources: (manifest.contentSources ?? []).length > 0
})
