/** The sites of the organization. */
import type { Organization } from "@lectern/client/fetch"
import { useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { CheckField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { useOrganization } from "../../data/organization.ts"
import { Globe, Plus } from "../../icons/icons.gen.ts"
import { siteNames } from "../../navigation/siteNames.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { useSpaces } from "../home/spaces.ts"
import { useSites } from "./data.ts"
import { SiteTags, visibilityKeys } from "./SiteTags.tsx"
import { siteStrings } from "./strings.ts"

const visibilities = ["public", "unlisted", "share-link", "visitor-auth"] as const

interface CreateProps {
  readonly organization: Organization
  readonly onClose: () => void
}

const CreateSiteDialog = ({ organization, onClose }: CreateProps) => {
  const t = useStrings(siteStrings)
  const common = useStrings(commonStrings)
  const spaces = useSpaces()
  const [title, setTitle] = useState("")
  const [visibility, setVisibility] = useState<(typeof visibilities)[number]>("public")
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string, isChosen: boolean) => {
    const changed = new Set(chosen)
    if (isChosen) changed.add(id)
    else changed.delete(id)
    setChosen(changed)
  }
  const onSubmit = async () => {
    const site = await client.sites.createSite({
      params: { organizationId: organization.id },
      payload: { title: title.trim(), visibility, spaces: [...chosen] }
    })
    invalidate(`organizations/${organization.id}/sites`)
    navigate(`/sites/${site.id}`)
  }
  return (
    <FormDialog
      title={t("newSite")}
      submit={common("create")}
      isDisabled={title.trim().length < 2}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={common("title")}
            autoFocus
            maxLength={128}
            value={title}
            onChange={setTitle}
            error={errorOf("title")}
          />
          <SelectField
            label={t("audience")}
            value={visibility}
            options={visibilities.map((value) => ({ value, label: t(visibilityKeys[value]) }))}
            onChange={(value) => setVisibility(value as (typeof visibilities)[number])}
          />
          <fieldset className="choices choices-scroll">
            <legend className="field-label">{t("spaces")}</legend>
            {(spaces.data ?? []).map((space) => (
              <CheckField
                key={space.id}
                label={space.title}
                isChecked={chosen.has(space.id)}
                onChange={(isChosen) => toggle(space.id, isChosen)}
              />
            ))}
            {spaces.data?.length === 0 ? <p className="muted small">{t("noSpaces")}</p> : null}
          </fieldset>
        </>
      )}
    </FormDialog>
  )
}

/** The sites of the organization. */
const SitesScreen = () => {
  const t = useStrings(siteStrings)
  const names = useStrings(siteNames)
  const { data: organization } = useOrganization()
  const sites = useSites()
  const create =
    organization?.permissions.createContent === true
      ? () => openDialog((onClose) => <CreateSiteDialog organization={organization} onClose={onClose} />)
      : undefined
  useActions(
    create === undefined ? [] : [{ id: "sites.create", label: t("newSite"), shortcut: "c", run: create }]
  )
  const button =
    create === undefined ? null : (
      <Button variant="primary" icon={<Plus size={16} />} onPress={create}>
        {t("newSite")}
      </Button>
    )
  return (
    <ScreenFrame title={names("sites")} actions={sites.data?.length === 0 ? undefined : button}>
      <ItemList
        resource={sites}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<Globe />} title={t("noSites")} actions={button}>
            {t("noSitesBody")}
          </EmptyState>
        }
      >
        {(site) => (
          <ItemRow
            icon={<Globe size={18} aria-hidden />}
            title={site.title}
            to={`/sites/${site.id}`}
            details={t("spaceCount", { count: site.siteSpaces })}
            tags={<SiteTags site={site} />}
          />
        )}
      </ItemList>
    </ScreenFrame>
  )
}

export default SitesScreen
