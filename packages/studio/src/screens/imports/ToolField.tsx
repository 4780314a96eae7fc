/** The documentation tool that an archive or a repository comes from. */
import type { StartImportRun } from "@lectern/client/fetch"
import { SelectField } from "../../components/fields.tsx"
import { useStrings } from "../../strings/strings.ts"
import { importStrings } from "./strings.ts"

/** A tool that a request can state. */
export type Tool = NonNullable<Extract<StartImportRun["source"], { readonly type: "file" }>["format"]>

/** The names of the tools, which are the same in every language. */
const toolNames: Readonly<Record<Tool, string>> = {
  notion: "Notion",
  confluence: "Confluence",
  docusaurus: "Docusaurus",
  mkdocs: "MkDocs",
  mintlify: "Mintlify",
  outline: "Outline"
}

const isTool = (value: string): value is Tool => Object.hasOwn(toolNames, value)

interface ToolFieldProps {
  /** The tool; undefined to recognize it. */
  readonly value: Tool | undefined
  readonly onChange: (tool: Tool | undefined) => void
}

/** Selects a tool, or that the server recognizes it. */
export const ToolField = ({ value, onChange }: ToolFieldProps) => {
  const t = useStrings(importStrings)
  return (
    <SelectField
      label={t("tool")}
      description={t("toolHint")}
      value={value ?? ""}
      options={[
        { value: "", label: t("toolRecognized") },
        ...Object.entries(toolNames).map(([tool, label]) => ({ value: tool, label }))
      ]}
      onChange={(tool) => onChange(isTool(tool) ? tool : undefined)}
    />
  )
}
