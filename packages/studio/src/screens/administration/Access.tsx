/** Who has access to a space or a collection: the default role, people and teams. */
import type { Space } from "@lectern/client/fetch"
import { SelectField } from "../../components/fields.tsx"
import { roleName } from "../../components/RoleField.tsx"
import { runChange } from "../../data/change.ts"
import { roles } from "../../data/roles.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { accessKey, type Content, setDefaultLevel } from "./accessData.ts"
import { accessStrings } from "./accessStrings.ts"
import { Grants } from "./Grants.tsx"
import { WhyAccess } from "./WhyAccess.tsx"

const toLevel = (value: string): Space["defaultLevel"] =>
  value === "inherit" ? "inherit" : (roles.find((role) => role === value) ?? null)

const DefaultLevelField = ({ content }: { readonly content: Content }) => {
  const t = useStrings(accessStrings)
  const common = useStrings(commonStrings)
  const { value: known } = content
  const change = (level: Space["defaultLevel"]) =>
    void runChange({
      send: () => setDefaultLevel(content, level),
      message: t("defaultChanged"),
      failure: t("defaultNotChanged"),
      undo: () => setDefaultLevel(content, known.defaultLevel),
      invalidates: [
        `${content.kind}s/${known.id}`,
        `organizations/${known.organization}/${content.kind}s`,
        accessKey(content)
      ]
    })
  return (
    <section className="section">
      <SelectField
        label={t("defaultLevel")}
        description={t("defaultLevelHint")}
        value={known.defaultLevel ?? "none"}
        options={[
          { value: "inherit", label: known.parent === undefined ? t("inheritRole") : t("inherit") },
          { value: "none", label: t("nobody") },
          ...roles.map((role) => ({ value: role, label: roleName(role, common) }))
        ]}
        onChange={(level) => change(toLevel(level))}
      />
    </section>
  )
}

/** Who has access to content, and why. */
export const Access = ({ content }: { readonly content: Content }) => {
  const t = useStrings(accessStrings)
  return (
    <>
      <DefaultLevelField content={content} />
      <Grants shareable={content} explanation={t("nothingGrantedBody")} />
      <WhyAccess content={content} />
    </>
  )
}
