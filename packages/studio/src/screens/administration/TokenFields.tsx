/** The fields that every new token has: its name and its expiry. */
import { SelectField, TextField, type TextFieldProps } from "../../components/fields.tsx"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { expiryChoices } from "./expiry.ts"
import { peopleStrings } from "./peopleStrings.ts"

interface TokenFieldsProps extends Pick<TextFieldProps, "placeholder" | "error"> {
  /** The title of the field of the name. */
  readonly title: string
  /** The name of the token. */
  readonly label: string
  /** The number of days until it expires, or `never`. */
  readonly days: string
  readonly onLabel: (label: string) => void
  readonly onDays: (days: string) => void
}

/** The name and the expiry of a new token. */
export const TokenFields = ({ title, label, days, onLabel, onDays, ...name }: TokenFieldsProps) => {
  const people = useStrings(peopleStrings)
  const common = useStrings(commonStrings)
  return (
    <>
      <TextField label={title} autoFocus maxLength={100} value={label} onChange={onLabel} {...name} />
      <SelectField
        label={people("expiry")}
        value={days}
        options={expiryChoices(people("inDays"), common("noExpiry"))}
        onChange={onDays}
      />
    </>
  )
}
