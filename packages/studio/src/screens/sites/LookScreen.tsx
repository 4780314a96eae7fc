/** How a site looks: title, colors, logo, fonts, links, next to the real pages of the reader. */
import type { SiteCustomization } from "@lectern/client/fetch"
import { useState } from "react"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { Loaded } from "../../components/states.tsx"
import { useStrings } from "../../strings/strings.ts"
import { type KnownSite, saveCustomization, useCustomization } from "./data.ts"
import { LinkFields } from "./LinkFields.tsx"
import { LookFields } from "./LookFields.tsx"
import { lookStrings } from "./lookStrings.ts"
import { Preview } from "./Preview.tsx"
import { SiteFrame } from "./SiteFrame.tsx"

interface LookProps {
  readonly known: KnownSite
  readonly stored: SiteCustomization
}

const Look = ({ known, stored }: LookProps) => {
  const t = useStrings(lookStrings)
  const [draft, setDraft] = useState(stored)
  const [version, setVersion] = useState(0)
  const isUnchanged = JSON.stringify(draft) === JSON.stringify(stored)
  const save = async () => {
    await saveCustomization(known, draft)
    setVersion(version + 1)
  }
  return (
    <div className="look">
      <SettingsForm
        description={t("lookBody")}
        isDisabled={isUnchanged}
        hasChanges={!isUnchanged}
        onSubmit={save}
      >
        {(errorOf) => (
          <>
            <LookFields known={known} draft={draft} onChange={setDraft} errorOf={errorOf} />
            <LinkFields draft={draft} onChange={setDraft} errorOf={errorOf} />
          </>
        )}
      </SettingsForm>
      <Preview known={known} draft={draft} version={version} />
    </div>
  )
}

const LoadedLook = ({ known }: { readonly known: KnownSite }) => {
  const customization = useCustomization(known)
  return <Loaded resource={customization}>{(stored) => <Look known={known} stored={stored} />}</Loaded>
}

/** How a site looks. */
const LookScreen = ({ params }: { readonly params: { readonly site: string } }) => {
  const t = useStrings(lookStrings)
  return (
    <SiteFrame siteId={params.site} title={t("look")} width="full">
      {(known) => <LoadedLook known={known} />}
    </SiteFrame>
  )
}

export default LookScreen
