/** The settings of a page: its title, description and address, and whether it is in the navigation. */
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { TextField } from "../../components/fields.tsx"
import { Panel } from "../../components/Panel.tsx"
import { runChange } from "../../data/change.ts"
import { type DocumentPage, editContent, type Place } from "../../data/content.ts"
import { useStrings } from "../../strings/strings.ts"
import { affectedKeys } from "./pageChanges.ts"
import { spaceStrings } from "./strings.ts"

interface Settings {
  readonly title: string
  readonly description: string
  readonly slug: string
  readonly hidden: boolean
}

const settingsOf = ({ title, description = "", slug, hidden = false }: DocumentPage): Settings => ({
  title,
  description,
  slug,
  hidden
})

/** The panel with the settings of a page. */
const SettingsPanel = ({ place, page }: { readonly place: Place; readonly page: DocumentPage }) => {
  const t = useStrings(spaceStrings)
  const before = settingsOf(page)
  const [settings, setSettings] = useState(before)
  const isUnchanged = JSON.stringify(settings) === JSON.stringify(before)
  const set = (change: Partial<Settings>) => setSettings({ ...settings, ...change })
  const save = () => {
    const send = (values: Settings) =>
      editContent(place, [{ operation: "update_page", page: page.id, ...values }])
    void runChange({
      send: () => send(settings),
      message: t("settingsSaved"),
      failure: t("settingsFailed"),
      undo: () => send(before),
      invalidates: affectedKeys(place)
    })
  }
  return (
    <Panel title={t("settings")}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={t("pageTitle")}
          maxLength={100}
          value={settings.title}
          onChange={(title) => set({ title })}
        />
        <TextField
          label={t("description")}
          description={t("descriptionHint")}
          rows={3}
          value={settings.description}
          onChange={(description) => set({ description })}
        />
        <TextField
          label={t("slug")}
          description={t("slugHint")}
          value={settings.slug}
          onChange={(slug) => set({ slug })}
        />
        <label className="choice">
          <input
            type="checkbox"
            checked={settings.hidden}
            onChange={(event) => set({ hidden: event.target.checked })}
          />
          {t("hide")}
        </label>
        <Button type="submit" variant="primary" isDisabled={isUnchanged || settings.title.trim() === ""}>
          {t("save")}
        </Button>
      </form>
    </Panel>
  )
}

export default SettingsPanel
