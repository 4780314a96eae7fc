/** Fields of forms, with a label, a description and the error of the server. */
import { type ReactNode, useId } from "react"
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea
} from "react-aria-components"

/** Properties of {@link TextField}. */
export interface TextFieldProps extends Omit<AriaTextFieldProps, "className" | "children" | "style"> {
  readonly label: string
  readonly description?: ReactNode
  /** The error of the field, such as that of the server. */
  readonly error?: string | undefined
  readonly placeholder?: string
  /** The number of lines. With more than one, the field is a `textarea`. */
  readonly rows?: number
}

/** A field for text. */
export const TextField = ({
  label,
  description,
  error,
  placeholder,
  rows = 1,
  ...properties
}: TextFieldProps) => (
  // Browsers do not submit a form with an invalid field, but the error can be that of an earlier request.
  <AriaTextField {...properties} validationBehavior="aria" isInvalid={error !== undefined} className="field">
    <Label>{label}</Label>
    {rows > 1 ? (
      <TextArea className="input" rows={rows} placeholder={placeholder} />
    ) : (
      <Input className="input" {...(placeholder === undefined ? {} : { placeholder })} />
    )}
    {description === undefined ? null : (
      <Text slot="description" className="field-description">
        {description}
      </Text>
    )}
    {error === undefined ? null : <FieldError className="field-error">{error}</FieldError>}
  </AriaTextField>
)

/** Properties of {@link SelectField}. */
export interface SelectFieldProps {
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
  readonly onChange: (value: string) => void
  readonly description?: ReactNode
  readonly isDisabled?: boolean
}

/** A field with a fixed choice. The list is that of the browser, which phones display natively. */
export const SelectField = ({
  label,
  value,
  options,
  onChange,
  description,
  isDisabled = false
}: SelectFieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="input"
        value={value}
        disabled={isDisabled}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {description === undefined ? null : (
        <span id={`${id}-description`} className="field-description">
          {description}
        </span>
      )}
    </div>
  )
}
