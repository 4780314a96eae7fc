/** How a space on a site looks: what it overrides of the look of the site. */
import type { SiteCustomization, SiteSpace } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { shellStrings } from "../../strings/shell.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { type KnownSite, siteKey, useStructure } from "./data.ts"
import { LinkFields } from "./LinkFields.tsx"
import { LookFields } from "./LookFields.tsx"
import { overrideOf } from "./lookOverride.ts"
import { lookStrings } from "./lookStrings.ts"
import { SiteFrame } from "./SiteFrame.tsx"
import { type StructureNode, structureNodes } from "./structureTree.ts"

interface KnownSpace {
  readonly known: KnownSite
  readonly space: SiteSpace
}

const paramsOf = ({ known, space }: KnownSpace) => ({ ...known.params, siteSpaceId: space.id })

const lookKey = ({ known, space }: KnownSpace): string => `${siteKey(known.site.id)}/spaces/${space.id}/look`

interface Looks {
  /** The look of the site. */
  readonly site: SiteCustomization
  /** The look of the space: that of the site with its overrides. */
  readonly own: SiteCustomization
}

const useLooks = (target: KnownSpace) =>
  useResource(lookKey(target), async (signal): Promise<Looks> => {
    const [site, own] = await Promise.all([
      client.sites.getSiteCustomizationById({ params: target.known.params }, { signal }),
      client.siteSpaces.getSiteSpaceCustomizationById({ params: paramsOf(target) }, { signal })
    ])
    return { site, own }
  })

const findSiteSpace = (nodes: ReadonlyArray<StructureNode>, id: string): SiteSpace | undefined => {
  for (const { item, children } of nodes) {
    if (item.kind === "space" && item.id === id) return item.value
    const found = findSiteSpace(children, id)
    if (found !== undefined) return found
  }
  return undefined
}

const openReset = (target: KnownSpace): void =>
  openConfirm({
    title: translate(lookStrings, "resetTitle", { title: target.space.title }),
    body: translate(lookStrings, "resetBody"),
    confirm: translate(lookStrings, "reset"),
    run: () =>
      void runChange({
        send: () => client.siteSpaces.deleteSiteSpaceCustomizationById({ params: paramsOf(target) }),
        message: translate(lookStrings, "resetDone", { title: target.space.title }),
        failure: translate(lookStrings, "resetFailed"),
        invalidates: [lookKey(target)]
      })
  })

const Look = ({ target, looks }: { readonly target: KnownSpace; readonly looks: Looks }) => {
  const t = useStrings(lookStrings)
  const { site, own } = looks
  const [draft, setDraft] = useState(own)
  const save = async () => {
    await client.siteSpaces.overrideSiteSpaceCustomizationById({
      params: paramsOf(target),
      payload: overrideOf(site, own, draft)
    })
    invalidate(lookKey(target))
  }
  const isUnchanged = JSON.stringify(draft) === JSON.stringify(own)
  const isOverridden = JSON.stringify(site) !== JSON.stringify(own)
  return (
    <SettingsForm
      description={t("spaceLookBody")}
      isDisabled={isUnchanged}
      hasChanges={!isUnchanged}
      onSubmit={save}
    >
      {(errorOf) => (
        <>
          {isOverridden ? (
            <p className="notice">
              {t("hasOverrides")}{" "}
              <Button size="small" onPress={() => openReset(target)}>
                {t("reset")}
              </Button>
            </p>
          ) : null}
          <LookFields known={target.known} draft={draft} isOverride onChange={setDraft} errorOf={errorOf} />
          <LinkFields draft={draft} onChange={setDraft} errorOf={errorOf} />
        </>
      )}
    </SettingsForm>
  )
}

const LoadedLook = ({ known, id }: { readonly known: KnownSite; readonly id: string }) => {
  const shell = useStrings(shellStrings)
  const structure = useStructure(known)
  return (
    <Loaded resource={structure}>
      {(loaded) => {
        const space = findSiteSpace(structureNodes(loaded), id)
        return space === undefined ? (
          <EmptyState title={shell("notFoundTitle")}>{shell("notFoundBody")}</EmptyState>
        ) : (
          <LooksOf target={{ known, space }} />
        )
      }}
    </Loaded>
  )
}

const LooksOf = ({ target }: { readonly target: KnownSpace }) => {
  const looks = useLooks(target)
  return (
    <>
      <h2>{target.space.title}</h2>
      <Loaded resource={looks}>
        {(loaded) => <Look key={JSON.stringify(loaded.own)} target={target} looks={loaded} />}
      </Loaded>
    </>
  )
}

/** How a space on a site looks. */
const SpaceLookScreen = ({
  params
}: {
  readonly params: { readonly site: string; readonly siteSpace: string }
}) => {
  const t = useStrings(lookStrings)
  return (
    <SiteFrame siteId={params.site} title={t("spaceLook")} width="text">
      {(known) => <LoadedLook known={known} id={params.siteSpace} />}
    </SiteFrame>
  )
}

export default SpaceLookScreen
