/** A field for a choice between yes and no. */
import { type ReactNode, useId } from "react"

/** Properties of {@link CheckField}. */
export interface CheckFieldProps {
  readonly label: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly description?: ReactNode
  readonly isDisabled?: boolean
}

/** A checkbox with its label. */
export const CheckField = ({
  label,
  isChecked,
  onChange,
  description,
  isDisabled = false
}: CheckFieldProps) => {
  const id = useId()
  return (
    <div className="choice">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        <label htmlFor={id}>{label}</label>
        {description === undefined ? null : (
          <span id={`${id}-description`} className="field-description choice-description">
            {description}
          </span>
        )}
      </span>
    </div>
  )
}

/** A choice of {@link RadioField}. */
export interface RadioChoice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly description?: string
}

/** Properties of {@link RadioField}. */
export interface RadioFieldProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: ReadonlyArray<RadioChoice<Value>>
  readonly onChange: (value: Value) => void
  readonly isDisabled?: boolean
}

/** A choice of which every possibility is explained. */
export const RadioField = <Value extends string>({
  label,
  value,
  choices,
  onChange,
  isDisabled = false
}: RadioFieldProps<Value>) => {
  const id = useId()
  return (
    <fieldset className="choices" disabled={isDisabled}>
      <legend className="field-label">{label}</legend>
      {choices.map((choice) => (
        <div key={choice.value} className="choice">
          <input
            id={`${id}-${choice.value}`}
            type="radio"
            name={id}
            checked={choice.value === value}
            aria-describedby={choice.description === undefined ? undefined : `${id}-${choice.value}-text`}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <label htmlFor={`${id}-${choice.value}`}>{choice.label}</label>
            {choice.description === undefined ? null : (
              <span id={`${id}-${choice.value}-text`} className="field-description choice-description">
                {choice.description}
              </span>
            )}
          </span>
        </div>
      ))}
    </fieldset>
  )
}
