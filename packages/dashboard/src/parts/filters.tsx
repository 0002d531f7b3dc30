/** Fields above a list. What they hold stands in the address. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export function Filters({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <search class="filters" aria-label={label}>
      {children}
    </search>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export function TextFilter({
  label,
  value,
  onChange,
  placeholder,
}: FieldProps & { readonly placeholder?: string | undefined }) {
  const id = useId()
  return (
    <div class="field field-grow">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={value}
        placeholder={placeholder ?? ''}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

export function ChoiceFilter({
  label,
  value,
  onChange,
  choices,
}: FieldProps & { readonly choices: readonly (readonly [value: string, text: string])[] }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
