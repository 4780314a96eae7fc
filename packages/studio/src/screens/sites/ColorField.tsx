/** A field for a color in the light and the dark theme. */
import { useStrings } from "../../strings/strings.ts"
import { lookStrings } from "./lookStrings.ts"

interface ThemedColor {
  readonly light: string
  readonly dark: string
}

/** Properties of {@link ColorField}. */
export interface ColorFieldProps {
  readonly label: string
  readonly value: ThemedColor
  readonly onChange: (value: ThemedColor) => void
}

/** A field for a color in both themes. */
export const ColorField = ({ label, value, onChange }: ColorFieldProps) => {
  const t = useStrings(lookStrings)
  return (
    <fieldset className="colors">
      <legend className="field-label">{label}</legend>
      {(["light", "dark"] as const).map((theme) => (
        <div key={theme} className="color">
          <label className="color">
            <input
              type="color"
              value={value[theme].toLowerCase()}
              onChange={(event) => onChange({ ...value, [theme]: event.target.value.toUpperCase() })}
            />
            <span>{t(theme)}</span>
          </label>
          <code>{value[theme]}</code>
        </div>
      ))}
    </fieldset>
  )
}
