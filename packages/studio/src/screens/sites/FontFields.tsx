/** The fields of the fonts of a site: fonts that the contract names, and fonts that the organization has uploaded. */
import type { CustomFont, SiteCustomization } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { SelectField } from "../../components/fields.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import type { KnownSite } from "./data.ts"
import { openFont } from "./FontDialog.tsx"
import { fontStrings } from "./fontStrings.ts"
import { fontsKey } from "./fontsKey.ts"
import { lookStrings } from "./lookStrings.ts"

type Styling = SiteCustomization["styling"]

const fonts: Readonly<Record<Extract<Styling["font"], string>, string>> = {
  Inter: "Inter",
  ABCFavorit: "ABC Favorit",
  FiraSans: "Fira Sans",
  IBMPlexSerif: "IBM Plex Serif",
  Lato: "Lato",
  Merriweather: "Merriweather",
  NotoSans: "Noto Sans",
  OpenSans: "Open Sans",
  Overpass: "Overpass",
  Poppins: "Poppins",
  Raleway: "Raleway",
  Roboto: "Roboto",
  RobotoSlab: "Roboto Slab",
  SourceSansPro: "Source Sans Pro",
  Ubuntu: "Ubuntu"
}

const codeFonts: Readonly<Record<Extract<Styling["monospaceFont"], string>, string>> = {
  IBMPlexMono: "IBM Plex Mono",
  DMMono: "DM Mono",
  FiraCode: "Fira Code",
  Inconsolata: "Inconsolata",
  JetBrainsMono: "JetBrains Mono",
  RobotoMono: "Roboto Mono",
  SourceCodePro: "Source Code Pro",
  SpaceMono: "Space Mono"
}

/** The fonts that sites contain. Readers see the others if their device has them. */
const contained: ReadonlySet<string> = new Set(["Inter", "IBMPlexMono"])

/** The prefix of the values of uploaded fonts, which distinguishes them from names. */
const uploaded = "uploaded "

const valueOf = (font: Styling["font"] | Styling["monospaceFont"]): string =>
  typeof font === "string" ? font : `${uploaded}${font.id}`

const deleteFont = ({ params }: KnownSite, { id, fontFamily: name }: CustomFont, onDeleted: () => void) =>
  openConfirm({
    title: translate(fontStrings, "deleteFont", { name }),
    body: translate(fontStrings, "deleteFontBody"),
    confirm: translate(commonStrings, "delete"),
    run: () =>
      void runChange({
        send: async () => {
          await client.customFonts.deleteCustomFont({
            params: { organizationId: params.organizationId, fontId: id }
          })
          onDeleted()
        },
        message: translate(fontStrings, "fontDeleted", { name }),
        failure: translate(fontStrings, "fontNotDeleted"),
        invalidates: [fontsKey(params.organizationId)]
      })
  })

/** Properties of {@link FontFields}. */
export interface FontFieldsProps {
  readonly known: KnownSite
  readonly draft: SiteCustomization
  readonly onChange: (draft: SiteCustomization) => void
}

/** The fields of the fonts of a site, with a dialog that uploads one. */
export const FontFields = ({ known, draft, onChange }: FontFieldsProps) => {
  const t = useStrings(lookStrings)
  const font = useStrings(fontStrings)
  const { styling } = draft
  const { organizationId } = known.params
  const own = useList(fontsKey(organizationId), (query, signal) =>
    client.customFonts.listCustomFonts({ params: { organizationId }, query }, { signal })
  )
  const definitionOf = (value: string) => {
    const found = own.data?.find(({ id }) => value === `${uploaded}${id}`)
    if (found === undefined) return undefined
    const { permissions: _, ...definition } = found
    return definition
  }
  const setStyling = (change: Partial<Styling>) => onChange({ ...draft, styling: { ...styling, ...change } })
  const optionsOf = (names: Readonly<Record<string, string>>) => [
    ...Object.entries(names).map(([value, name]) => ({
      value,
      label: contained.has(value) ? name : font("ifInstalled", { name })
    })),
    ...(own.data ?? []).map(({ id, fontFamily }) => ({ value: `${uploaded}${id}`, label: fontFamily }))
  ]
  const values = [valueOf(styling.font), valueOf(styling.monospaceFont)]
  const selected = (own.data ?? []).filter(({ id }) => values.includes(`${uploaded}${id}`))
  /** Replaces a deleted font by the default one, which sites display instead. */
  const replaceFont = (value: string) =>
    setStyling({
      ...(values[0] === value ? { font: "Inter" } : {}),
      ...(values[1] === value ? { monospaceFont: "IBMPlexMono" } : {})
    })
  return (
    <>
      <div className="field-row">
        <SelectField
          label={t("font")}
          value={valueOf(styling.font)}
          options={optionsOf(fonts)}
          onChange={(value) => setStyling({ font: definitionOf(value) ?? (value as keyof typeof fonts) })}
        />
        <SelectField
          label={t("codeFont")}
          value={valueOf(styling.monospaceFont)}
          options={optionsOf(codeFonts)}
          onChange={(value) =>
            setStyling({ monospaceFont: definitionOf(value) ?? (value as keyof typeof codeFonts) })
          }
        />
      </div>
      <div className="inline-form">
        <Button size="small" onPress={() => openFont(organizationId)}>
          {font("newFont")}
        </Button>
        {selected.map((one) =>
          one.permissions.edit ? (
            <Button
              key={one.id}
              size="small"
              variant="quiet"
              onPress={() => deleteFont(known, one, () => replaceFont(`${uploaded}${one.id}`))}
            >
              {font("deleteFont", { name: one.fontFamily })}
            </Button>
          ) : null
        )}
      </div>
    </>
  )
}
