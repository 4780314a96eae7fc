/** A question about a person, who is chosen first. */
import { type ReactNode, useState } from "react"
import { SelectField } from "../../components/fields.tsx"
import { useStrings } from "../../strings/strings.ts"
import { accessStrings } from "./accessStrings.ts"
import { useMembers } from "./data.ts"

/** The properties of {@link PersonQuestion}. */
export interface PersonQuestionProps {
  /** The question. */
  readonly title: string
  /** Displays the reasons that concern a person. */
  readonly children: (person: { readonly id: string; readonly name: string }) => ReactNode
}

/** A question about a member of the organization, and the reasons that concern the chosen member. */
export const PersonQuestion = ({ title, children }: PersonQuestionProps) => {
  const t = useStrings(accessStrings)
  const members = useMembers()
  const [userId, setUserId] = useState("")
  const name = members.data?.find(({ id }) => id === userId)?.user.displayName ?? ""
  return (
    <section className="section settings-form">
      <h2>{title}</h2>
      <SelectField
        label={t("person")}
        value={userId}
        options={[
          { value: "", label: t("choosePerson") },
          ...(members.data ?? []).map(({ id, user }) => ({ value: id, label: user.displayName }))
        ]}
        onChange={setUserId}
      />
      {userId === "" ? null : children({ id: userId, name })}
    </section>
  )
}
