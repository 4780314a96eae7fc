/** The settings of a page: its title, description and address, who sees it, its layout and its cover. */
import { type ReactNode, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { CheckField } from "../../components/CheckField.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { Panel } from "../../components/Panel.tsx"
import { runChange } from "../../data/change.ts"
import { type DocumentPage, editContent, type Place } from "../../data/content.ts"
import { useFiles } from "../../data/files.ts"
import { useStrings } from "../../strings/strings.ts"
import { MarkFields } from "./MarkFields.tsx"
import { affectedKeys } from "./pageChanges.ts"
import { changeOfSettings, type PageSettings, settingsOf } from "./pageSettings.ts"
import { pageSettingsStrings } from "./pageSettingsStrings.ts"
import { spaceStrings } from "./strings.ts"

interface FieldsProps {
  readonly settings: PageSettings
  readonly set: (change: Partial<PageSettings>) => void
}

const GeneralFields = ({ settings, set }: FieldsProps) => {
  const t = useStrings(spaceStrings)
  return (
    <>
      <TextField
        label={t("pageTitle")}
        maxLength={256}
        value={settings.title}
        onChange={(title) => set({ title })}
      />
      <MarkFields settings={settings} set={set} />
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
    </>
  )
}

const ReaderFields = ({ settings, set }: FieldsProps) => {
  const t = useStrings(spaceStrings)
  const s = useStrings(pageSettingsStrings)
  return (
    <>
      <CheckField label={t("hide")} isChecked={settings.hidden} onChange={(hidden) => set({ hidden })} />
      <CheckField
        label={s("noIndex")}
        isChecked={settings.noIndex}
        onChange={(noIndex) => set({ noIndex })}
      />
      <CheckField
        label={s("noRobotsIndex")}
        isChecked={settings.noRobotsIndex}
        onChange={(noRobotsIndex) => set({ noRobotsIndex })}
      />
      <TextField
        label={s("condition")}
        description={s("conditionHint")}
        maxLength={1_024}
        value={settings.condition}
        onChange={(condition) => set({ condition })}
      />
    </>
  )
}

const layoutSwitches = [
  "title",
  "description",
  "tableOfContents",
  "outline",
  "pagination",
  "metadata"
] as const

const LayoutFields = ({ settings, set }: FieldsProps) => {
  const s = useStrings(pageSettingsStrings)
  const { layout } = settings
  const change = (values: Partial<PageSettings["layout"]>) => set({ layout: { ...layout, ...values } })
  return (
    <>
      <SelectField
        label={s("width")}
        value={layout.width}
        options={[
          { value: "default", label: s("widthDefault") },
          { value: "wide", label: s("widthWide") }
        ]}
        onChange={(width) => change({ width: width as "default" | "wide" })}
      />
      {layoutSwitches.map((name) => (
        <CheckField
          key={name}
          label={s(name)}
          isChecked={layout[name]}
          onChange={(isOn) => change({ [name]: isOn })}
        />
      ))}
    </>
  )
}

const CoverFields = ({ settings, set, place }: FieldsProps & { readonly place: Place }) => {
  const s = useStrings(pageSettingsStrings)
  const files = useFiles(place)
  const images = (files.data ?? []).filter(({ contentType }) => contentType.startsWith("image/"))
  const { layout, cover } = settings
  const reference = cover?.ref?.kind === "file" ? cover.ref.file : cover?.ref?.kind === "url" ? "url" : ""
  return (
    <>
      <SelectField
        label={s("cover")}
        description={images.length === 0 ? s("coverHint") : undefined}
        value={reference}
        options={[
          { value: "", label: s("noCover") },
          ...(cover?.ref?.kind === "url" ? [{ value: "url", label: cover.ref.url }] : []),
          ...images.map(({ id, name }) => ({ value: id, label: name }))
        ]}
        onChange={(file) => {
          if (file === "url") return
          const yPos = cover?.yPos ?? 0
          set({
            cover: file === "" ? undefined : { ref: { kind: "file", file }, yPos },
            layout: { ...layout, cover: file !== "" }
          })
        }}
      />
      {cover === undefined ? null : (
        <>
          <CheckField
            label={s("showCover")}
            isChecked={layout.cover}
            onChange={(isOn) => set({ layout: { ...layout, cover: isOn } })}
          />
          <SelectField
            label={s("coverSize")}
            value={layout.coverSize}
            options={[
              { value: "hero", label: s("coverHero") },
              { value: "full", label: s("coverFull") }
            ]}
            onChange={(size) => set({ layout: { ...layout, coverSize: size as "hero" | "full" } })}
          />
          <label className="field">
            <span className="field-label">{s("coverPosition")}</span>
            <input
              type="range"
              min={-1}
              max={1}
              step={0.05}
              value={cover.yPos}
              onChange={(event) => set({ cover: { ...cover, yPos: Number(event.target.value) } })}
            />
          </label>
        </>
      )}
    </>
  )
}

const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <details className="settings-group">
    <summary>{title}</summary>
    <div className="stack">{children}</div>
  </details>
)

/** The panel with the settings of a page. */
const SettingsPanel = ({ place, page }: { readonly place: Place; readonly page: DocumentPage }) => {
  const t = useStrings(spaceStrings)
  const s = useStrings(pageSettingsStrings)
  const before = settingsOf(page)
  const [settings, setSettings] = useState(before)
  const change = changeOfSettings(page.id, before, settings)
  const set = (values: Partial<PageSettings>) => setSettings({ ...settings, ...values })
  const save = () => {
    if (change === undefined) return
    const revert = changeOfSettings(page.id, settings, before)
    void runChange({
      send: () => editContent(place, [change]),
      message: t("settingsSaved"),
      failure: t("settingsFailed"),
      ...(revert === undefined ? {} : { undo: () => editContent(place, [revert]) }),
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
        <GeneralFields settings={settings} set={set} />
        <Group title={s("readers")}>
          <ReaderFields settings={settings} set={set} />
        </Group>
        <Group title={s("layout")}>
          <LayoutFields settings={settings} set={set} />
        </Group>
        <Group title={s("cover")}>
          <CoverFields settings={settings} set={set} place={place} />
        </Group>
        <Button
          type="submit"
          variant="primary"
          isDisabled={change === undefined || settings.title.trim() === ""}
        >
          {t("save")}
        </Button>
      </form>
    </Panel>
  )
}

export default SettingsPanel
