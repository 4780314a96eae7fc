/** The fields of a customization: title, colors, logo, fonts and what readers can do. */
import type { SiteCustomization } from "@lectern/client/fetch"
import { CheckField } from "../../components/CheckField.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { useStrings } from "../../strings/strings.ts"
import { ColorField } from "./ColorField.tsx"
import type { KnownSite } from "./data.ts"
import { FontFields } from "./FontFields.tsx"
import { LogoField } from "./LogoField.tsx"
import { lookStrings } from "./lookStrings.ts"

/** Properties of the fields of a customization. */
export interface CustomizationFieldsProps {
  readonly draft: SiteCustomization
  readonly onChange: (draft: SiteCustomization) => void
  readonly errorOf: (path: string) => string | undefined
  /** Whether only the fields are displayed that a space on a site can override. */
  readonly isOverride?: boolean
}

const themes = ["clean", "muted", "bold", "gradient"] as const
const corners = ["straight", "rounded", "circular"] as const
const headers = ["default", "bold", "contrast", "none"] as const

const languages = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ja: "日本語",
  nl: "Nederlands",
  no: "Norsk",
  "pt-br": "Português (Brasil)",
  ru: "Русский",
  zh: "中文"
} as const satisfies Readonly<Record<SiteCustomization["internationalization"]["locale"], string>>

/** Returns the choices of a field, with the current one first if it is not among them. */
const named = (values: ReadonlyArray<string>, current: string, nameOf = (value: string) => value) =>
  [...(values.includes(current) ? [] : [current]), ...values].map((value) => ({
    value,
    label: nameOf(value)
  }))

const LogoFields = ({
  known,
  draft,
  onChange,
  errorOf
}: CustomizationFieldsProps & { readonly known: KnownSite }) => {
  const t = useStrings(lookStrings)
  const logo = draft.header.logo ?? { light: "", dark: "" }
  const setLogo = (changed: { readonly light: string; readonly dark: string }) => {
    const { logo: _, ...header } = draft.header
    const isEmpty = changed.light.trim() === "" && changed.dark.trim() === ""
    const light = changed.light.trim() === "" ? changed.dark.trim() : changed.light.trim()
    const dark = changed.dark.trim() === "" ? changed.light.trim() : changed.dark.trim()
    onChange({ ...draft, header: isEmpty ? header : { ...header, logo: { light, dark } } })
  }
  return (
    <>
      <LogoField
        known={known}
        upload={t("uploadLogo")}
        label={t("logo")}
        description={t("logoHint")}
        value={logo.light}
        onChange={(light) => setLogo({ light, dark: logo.dark === logo.light ? "" : logo.dark })}
        error={errorOf("header.logo")}
      />
      <LogoField
        known={known}
        upload={t("uploadLogoDark")}
        label={t("logoDark")}
        value={logo.dark === logo.light ? "" : logo.dark}
        onChange={(dark) => setLogo({ light: logo.light, dark })}
      />
    </>
  )
}

const ReadingFields = ({ draft, onChange, isOverride = false }: CustomizationFieldsProps) => {
  const t = useStrings(lookStrings)
  return (
    <fieldset className="choices">
      <legend className="field-label">{t("readers")}</legend>
      <CheckField
        label={t("canToggleTheme")}
        isChecked={draft.themes.toggeable}
        onChange={(toggeable) => onChange({ ...draft, themes: { ...draft.themes, toggeable } })}
      />
      <CheckField
        label={t("startsDark")}
        isChecked={draft.themes.default === "dark"}
        onChange={(isDark) =>
          onChange({ ...draft, themes: { ...draft.themes, default: isDark ? "dark" : "light" } })
        }
      />
      <CheckField
        label={t("hasPdf")}
        isChecked={draft.pdf.enabled}
        onChange={(enabled) => onChange({ ...draft, pdf: { enabled } })}
      />
      <CheckField
        label={t("hasFeedback")}
        isChecked={draft.feedback.enabled}
        onChange={(enabled) => onChange({ ...draft, feedback: { enabled } })}
      />
      <CheckField
        label={t("hasPagination")}
        isChecked={draft.pagination.enabled}
        onChange={(enabled) => onChange({ ...draft, pagination: { enabled } })}
      />
      {isOverride ? null : (
        <CheckField
          label={t("hasMarkdown")}
          isChecked={draft.pageActions.markdown}
          onChange={(markdown) => onChange({ ...draft, pageActions: { ...draft.pageActions, markdown } })}
        />
      )}
    </fieldset>
  )
}

/** The fields of a customization, except for its links. */
export const LookFields = (properties: CustomizationFieldsProps & { readonly known: KnownSite }) => {
  const { known, draft, onChange, errorOf } = properties
  const t = useStrings(lookStrings)
  const { styling, header } = draft
  const setStyling = (change: Partial<SiteCustomization["styling"]>) =>
    onChange({ ...draft, styling: { ...styling, ...change } })
  const setTitle = (title: string) => {
    const { title: _, ...rest } = draft
    onChange(title === "" ? rest : { ...rest, title })
  }
  return (
    <>
      <TextField
        label={t("siteTitle")}
        placeholder={known.site.title}
        maxLength={128}
        value={draft.title ?? ""}
        onChange={setTitle}
        error={errorOf("title")}
      />
      <ColorField
        label={t("primaryColor")}
        value={styling.primaryColor}
        onChange={(primaryColor) => setStyling({ primaryColor })}
      />
      <div className="field-row">
        <SelectField
          label={t("theme")}
          value={styling.theme}
          options={themes.map((value) => ({ value, label: t(`theme-${value}`) }))}
          onChange={(theme) => setStyling({ theme: theme as (typeof themes)[number] })}
        />
        <SelectField
          label={t("corners")}
          value={styling.corners}
          options={corners.map((value) => ({ value, label: t(`corners-${value}`) }))}
          onChange={(value) => setStyling({ corners: value as (typeof corners)[number] })}
        />
      </div>
      {properties.isOverride === true ? null : <FontFields {...properties} />}
      <LogoFields {...properties} />
      <div className="field-row">
        <SelectField
          label={t("header")}
          value={header.preset}
          options={named(headers, header.preset, (value) => t(`header-${value as typeof header.preset}`))}
          onChange={(preset) =>
            onChange({ ...draft, header: { ...header, preset: preset as typeof header.preset } })
          }
        />
        <SelectField
          label={t("siteLanguage")}
          value={draft.internationalization.locale}
          options={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          onChange={(locale) =>
            onChange({ ...draft, internationalization: { locale: locale as keyof typeof languages } })
          }
        />
      </div>
      <ReadingFields {...properties} />
    </>
  )
}
