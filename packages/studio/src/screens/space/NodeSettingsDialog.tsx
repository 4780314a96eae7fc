/** The dialog with the settings of a group or of a link in the navigation, which have no page of their own. */
import type { ContentChange, Page } from "@lectern/client/fetch"
import { useState } from "react"
import { CheckField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { runChange } from "../../data/change.ts"
import { editContent, type Place } from "../../data/content.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { MarkFields } from "./MarkFields.tsx"
import { affectedKeys } from "./pageChanges.ts"
import { pageSettingsStrings } from "./pageSettingsStrings.ts"
import { spaceStrings } from "./strings.ts"

/** A group or a link. */
export type NavigationNode = Extract<Page, { readonly type: "group" | "link" }>

interface NodeSettings {
  readonly title: string
  readonly emoji: string
  readonly icon: string
  readonly condition: string
  readonly hidden: boolean
  /** The address of a link. Absent for groups, and for links to content. */
  readonly url: string | undefined
}

const settingsOf = (page: NavigationNode): NodeSettings => ({
  title: page.title,
  emoji: page.emoji ?? "",
  icon: page.icon ?? "",
  condition: page.condition ?? "",
  hidden: page.hidden === true,
  url: page.type === "link" && page.target.kind === "url" ? page.target.url : undefined
})

const changeOf = (page: string, { condition, url, ...fields }: NodeSettings): ContentChange => ({
  operation: "update_page",
  page,
  ...fields,
  condition: condition.trim() === "" ? null : condition.trim(),
  ...(url === undefined ? {} : { target: { kind: "url", url: url.trim() } })
})

const save = (place: Place, page: NavigationNode, settings: NodeSettings) =>
  runChange({
    send: () => editContent(place, [changeOf(page.id, settings)]),
    message: translate(spaceStrings, "settingsSaved"),
    failure: translate(spaceStrings, "settingsFailed"),
    undo: () => editContent(place, [changeOf(page.id, settingsOf(page))]),
    invalidates: affectedKeys(place)
  })

interface DialogProps {
  readonly place: Place
  readonly page: NavigationNode
  readonly onClose: () => void
}

const NodeSettingsDialog = ({ place, page, onClose }: DialogProps) => {
  const t = useStrings(spaceStrings)
  const s = useStrings(pageSettingsStrings)
  const [settings, setSettings] = useState(() => settingsOf(page))
  const set = (values: Partial<NodeSettings>) => setSettings({ ...settings, ...values })
  const isValid =
    settings.title.trim() !== "" && (settings.url === undefined || URL.canParse(settings.url.trim()))
  return (
    <FormDialog
      title={t("settings")}
      submit={t("save")}
      isDisabled={!isValid || JSON.stringify(settings) === JSON.stringify(settingsOf(page))}
      onSubmit={async () => void save(place, page, { ...settings, title: settings.title.trim() })}
      onClose={onClose}
    >
      {() => (
        <>
          <TextField
            label={t("pageTitle")}
            autoFocus
            maxLength={256}
            value={settings.title}
            onChange={(title) => set({ title })}
          />
          {settings.url === undefined ? null : (
            <TextField
              label={t("address")}
              description={t("addressHint")}
              type="url"
              value={settings.url}
              onChange={(url) => set({ url })}
            />
          )}
          <MarkFields settings={settings} set={set} />
          <TextField
            label={s("condition")}
            description={s("conditionHint")}
            maxLength={1_024}
            value={settings.condition}
            onChange={(condition) => set({ condition })}
          />
          <CheckField label={t("hide")} isChecked={settings.hidden} onChange={(hidden) => set({ hidden })} />
        </>
      )}
    </FormDialog>
  )
}

/** Opens the settings of a group or of a link. */
export const openNodeSettings = (place: Place, page: NavigationNode): void =>
  openDialog((onClose) => <NodeSettingsDialog place={place} page={page} onClose={onClose} />)
