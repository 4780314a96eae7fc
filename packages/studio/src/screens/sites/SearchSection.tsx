/** The search of a site: its synonyms, pinned results and weights. */
import type { SiteCustomization, SiteStructure } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { Loaded } from "../../components/states.tsx"
import { flattenPages, usePages } from "../../data/content.ts"
import { Plus } from "../../icons/icons.gen.ts"
import { useStrings } from "../../strings/strings.ts"
import { type KnownSite, saveCustomization, useCustomization, useStructure } from "./data.ts"
import { spacesOf } from "./redirectTargets.tsx"
import { searchStrings } from "./searchStrings.ts"

type Search = NonNullable<SiteCustomization["search"]>

/** A pin or a weight while it is edited: its text is the queries or the weight. */
interface Row {
  readonly key: number
  readonly space: string
  readonly page: string
  readonly text: string
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")

interface RowFieldsProps {
  readonly row: Row
  /** Names the fields of the row together. */
  readonly legend: string
  readonly label: string
  readonly structure: SiteStructure
  /** Whether the row can apply to all pages of a space. */
  readonly canBeSpace: boolean
  readonly onChange: (row: Row) => void
  readonly onRemove: () => void
}

const RowFields = ({ row, legend, label, structure, canBeSpace, onChange, onRemove }: RowFieldsProps) => {
  const t = useStrings(searchStrings)
  const pages = usePages({ spaceId: row.space, change: undefined })
  const known = flattenPages(pages.data ?? []).filter(({ type }) => type === "document")
  return (
    <fieldset className="link-group">
      <legend className="field-label">{legend}</legend>
      <TextField label={label} value={row.text} onChange={(text) => onChange({ ...row, text })} />
      <SelectField
        label={t("space")}
        value={row.space}
        options={spacesOf(structure).map(({ space, title }) => ({ value: space.id, label: title }))}
        onChange={(space) => onChange({ ...row, space, page: "" })}
      />
      <SelectField
        label={t("page")}
        value={row.page}
        options={[
          { value: "", label: canBeSpace ? t("allPages") : "–" },
          ...known.map(({ id, title }) => ({ value: id, label: title }))
        ]}
        onChange={(page) => onChange({ ...row, page })}
      />
      <div>
        <Button size="small" variant="quiet" onPress={onRemove}>
          {t("remove")}
        </Button>
      </div>
    </fieldset>
  )
}

interface RowsProps extends Pick<RowFieldsProps, "label" | "structure" | "canBeSpace"> {
  readonly title: string
  readonly hint: string
  readonly kind: "pin" | "boost"
  readonly rows: ReadonlyArray<Row>
  readonly initialText: string
  readonly onChange: (rows: ReadonlyArray<Row>) => void
}

const Rows = ({ title, hint, kind, rows, initialText, onChange, structure, ...fields }: RowsProps) => {
  const t = useStrings(searchStrings)
  const first = spacesOf(structure)[0]?.space.id
  const key = Math.max(0, ...rows.map((row) => row.key)) + 1
  return (
    <section className="link-group">
      <h3>{title}</h3>
      <p className="muted">{hint}</p>
      {rows.map((row, index) => (
        <RowFields
          key={row.key}
          legend={t(kind, { number: index + 1 })}
          row={row}
          structure={structure}
          {...fields}
          onChange={(changed) => onChange(rows.map((one) => (one === row ? changed : one)))}
          onRemove={() => onChange(rows.filter((one) => one !== row))}
        />
      ))}
      {first === undefined ? null : (
        <div>
          <Button
            size="small"
            icon={<Plus size={14} />}
            onPress={() => onChange([...rows, { key, space: first, page: "", text: initialText }])}
          >
            {t(kind === "pin" ? "addPin" : "addBoost")}
          </Button>
        </div>
      )}
    </section>
  )
}

interface SearchFormProps {
  readonly known: KnownSite
  readonly stored: SiteCustomization
  readonly structure: SiteStructure
}

const SearchForm = ({ known, stored, structure }: SearchFormProps) => {
  const t = useStrings(searchStrings)
  const { synonyms = [], pins = [], boosts = [] } = stored.search ?? {}
  const [groups, setGroups] = useState(synonyms.map((group) => group.join(", ")).join("\n"))
  const [pinRows, setPinRows] = useState<ReadonlyArray<Row>>(
    pins.map(({ space, page, queries }, key) => ({ key, space, page, text: queries.join(", ") }))
  )
  const [boostRows, setBoostRows] = useState<ReadonlyArray<Row>>(
    boosts.map(({ space, page = "", weight }, key) => ({ key, space, page, text: String(weight) }))
  )
  const search: Search = {
    synonyms: groups
      .split("\n")
      .map(wordsOf)
      .filter((group) => group.length > 0),
    pins: pinRows.map(({ space, page, text }) => ({ space, page, queries: wordsOf(text) })),
    boosts: boostRows.map(({ space, page, text }) => ({
      space,
      ...(page === "" ? {} : { page }),
      weight: Number(text.replace(",", "."))
    }))
  }
  const isComplete =
    (search.pins ?? []).every(({ page, queries }) => page !== "" && queries.length > 0) &&
    (search.boosts ?? []).every(({ weight }) => weight >= 0.1 && weight <= 10)
  const save = () => saveCustomization(known, { ...stored, search })
  return (
    <SettingsForm
      title={t("search")}
      description={t("searchBody")}
      isPrimary={false}
      isDisabled={!isComplete}
      onSubmit={save}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("synonyms")}
            description={t("synonymsHint")}
            rows={4}
            value={groups}
            onChange={setGroups}
            error={errorOf("search")}
          />
          <Rows
            title={t("pins")}
            hint={t("pinsHint")}
            kind="pin"
            label={t("queries")}
            canBeSpace={false}
            initialText=""
            rows={pinRows}
            structure={structure}
            onChange={setPinRows}
          />
          <Rows
            title={t("boosts")}
            hint={t("boostsHint")}
            kind="boost"
            label={t("weight")}
            canBeSpace
            initialText="2"
            rows={boostRows}
            structure={structure}
            onChange={setBoostRows}
          />
        </>
      )}
    </SettingsForm>
  )
}

/** The synonyms, pinned results and weights of the search of a site. */
export const SearchSection = ({ known }: { readonly known: KnownSite }) => {
  const customization = useCustomization(known)
  const structure = useStructure(known)
  return (
    <Loaded resource={structure}>
      {(loaded) => (
        <Loaded resource={customization}>
          {(stored) => <SearchForm known={known} stored={stored} structure={loaded} />}
        </Loaded>
      )}
    </Loaded>
  )
}
