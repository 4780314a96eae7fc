/** The dialog that adds a script to a site, and edits one. */
import type { CreateSiteScript, ScriptTemplate, SiteScript } from "@lectern/client/fetch"
import { useState } from "react"
import { CheckField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { showToast } from "../../data/toasts.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import type { KnownSite } from "./data.ts"
import { scriptStrings } from "./scriptStrings.ts"

type Source = SiteScript["source"]
type Values = Readonly<Record<string, string>>

const categories = ["analytics", "marketing", "support", "preferences"] as const

/** Parses values, one per line: the name, an equals sign, and the value. */
const parseValues = (text: string): Values =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const at = line.indexOf("=")
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]]
    })
  )

const formatValues = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n")

interface ScriptDialogProps {
  readonly known: KnownSite
  readonly templates: ReadonlyArray<ScriptTemplate>
  readonly listKey: string
  readonly script?: SiteScript
  readonly onClose: () => void
}

/** How a placeholder is written. */
const placeholder = "{{key}}"

/** Returns the name of a value of a service in words: `measurementId` is "Measurement ID", as the service calls it. */
const nameInWords = (name: string): string => {
  const words = name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\b(id|api)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The fields of a script that is not of a known service. */
const OwnFields = ({
  kind,
  content,
  values,
  onContent,
  onValues,
  errorOf
}: {
  readonly kind: "url" | "text"
  readonly content: string
  readonly values: string
  readonly onContent: (content: string) => void
  readonly onValues: (values: string) => void
  readonly errorOf: (path: string) => string | undefined
}) => {
  const t = useStrings(scriptStrings)
  return (
    <>
      <TextField
        label={kind === "url" ? t("scriptUrl") : t("scriptText")}
        description={t(kind === "url" ? "scriptUrlHint" : "scriptTextHint", { placeholder })}
        rows={kind === "url" ? 1 : 8}
        value={content}
        onChange={onContent}
        error={errorOf(`source.${kind}`)}
      />
      <TextField
        label={t("valuesOf")}
        description={t("valuesHint")}
        rows={2}
        value={values}
        onChange={onValues}
        error={errorOf("source.values")}
      />
    </>
  )
}

const ScriptDialog = ({ known, templates, listKey, script, onClose }: ScriptDialogProps) => {
  const t = useStrings(scriptStrings)
  const common = useStrings(commonStrings)
  const before = script?.source
  const [service, setService] = useState<string>(
    before === undefined
      ? (templates[0]?.id ?? "url")
      : before.type === "template"
        ? before.template
        : before.type
  )
  const template = templates.find(({ id }) => id === service)
  const [name, setName] = useState(script?.name ?? template?.name ?? "")
  const [fields, setFields] = useState<Values>(before?.type === "template" ? before.values : {})
  const [content, setContent] = useState(
    before?.type === "url" ? before.url : before?.type === "text" ? before.text : ""
  )
  const [values, setValues] = useState(
    before === undefined || before.type === "template" ? "" : formatValues(before.values ?? {})
  )
  const [purposes, setPurposes] = useState<ReadonlyArray<string>>(
    script?.categories ?? template?.categories ?? ["analytics"]
  )
  const [connections, setConnections] = useState((script?.origins.connections ?? []).join("\n"))
  const choose = (value: string) => {
    const chosen = templates.find(({ id }) => id === value)
    setService(value)
    setFields({})
    // The name of a service is not that of another script; a name that was typed remains.
    if (chosen !== undefined || name === template?.name) setName(chosen?.name ?? "")
    setPurposes(chosen?.categories ?? ["analytics"])
  }
  const sourceOf = (): Source => {
    if (template !== undefined) {
      const used = template.fields.map((field) => [field.name, (fields[field.name] ?? "").trim()] as const)
      return { type: "template", template: template.id, values: Object.fromEntries(used) }
    }
    const own = { values: parseValues(values) }
    return service === "url"
      ? { type: "url", url: content.trim(), ...own }
      : { type: "text", text: content, ...own }
  }
  const isIncomplete =
    template === undefined
      ? content.trim() === ""
      : template.fields.some((field) => (fields[field.name] ?? "").trim() === "")
  const onSubmit = async () => {
    const origins = connections
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
    const payload: CreateSiteScript = {
      name: name.trim(),
      source: sourceOf(),
      categories: categories.filter((category) => purposes.includes(category)),
      origins: {
        ...script?.origins,
        connections: origins
      }
    }
    if (script === undefined) await client.siteScripts.createSiteScript({ params: known.params, payload })
    else {
      const params = { ...known.params, siteScriptId: script.id }
      await client.siteScripts.updateSiteScriptById({ params, payload })
    }
    invalidate(listKey)
    showToast({
      kind: "done",
      message: script === undefined ? t("scriptAdded", { name: name.trim() }) : common("saved")
    })
  }
  return (
    <FormDialog
      title={script === undefined ? t("newScript") : t("editScript")}
      submit={script === undefined ? common("create") : common("save")}
      isDisabled={name.trim() === "" || isIncomplete}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <SelectField
            label={t("service")}
            value={service}
            options={[
              ...templates.map(({ id, name: label }) => ({ value: id, label })),
              { value: "url", label: t("service-url") },
              { value: "text", label: t("service-text") }
            ]}
            onChange={choose}
          />
          <TextField
            label={t("scriptName")}
            maxLength={100}
            value={name}
            onChange={setName}
            error={errorOf("name")}
          />
          {template === undefined ? (
            <OwnFields
              kind={service === "url" ? "url" : "text"}
              content={content}
              values={values}
              onContent={setContent}
              onValues={setValues}
              errorOf={errorOf}
            />
          ) : (
            template.fields.map((field) => (
              <TextField
                key={field.name}
                label={nameInWords(field.name)}
                description={t("example", { example: field.example })}
                value={fields[field.name] ?? ""}
                onChange={(value) => setFields({ ...fields, [field.name]: value })}
                error={errorOf(`source.values.${field.name}`)}
              />
            ))
          )}
          <fieldset className="choices">
            <legend className="field-label">{t("consent")}</legend>
            {categories.map((category) => (
              <CheckField
                key={category}
                label={t(`category-${category}`)}
                isChecked={purposes.includes(category)}
                onChange={(isChecked) =>
                  setPurposes(
                    isChecked ? [...purposes, category] : purposes.filter((purpose) => purpose !== category)
                  )
                }
              />
            ))}
            <p className="field-description">{t("consentHint")}</p>
          </fieldset>
          {template === undefined ? (
            <TextField
              label={t("connections")}
              description={t("connectionsHint")}
              rows={2}
              value={connections}
              onChange={setConnections}
              error={errorOf("origins.connections")}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that adds a script to a site, or edits one. */
export const openScript = (
  known: KnownSite,
  templates: ReadonlyArray<ScriptTemplate>,
  listKey: string,
  script?: SiteScript
): void =>
  openDialog((onClose) => (
    <ScriptDialog
      known={known}
      templates={templates}
      listKey={listKey}
      {...(script === undefined ? {} : { script })}
      onClose={onClose}
    />
  ))
