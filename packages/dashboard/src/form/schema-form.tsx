import { useId, useState } from 'preact/hooks'
import { parseObject, readFields, readForm, type SchemaField, shorten } from './fields.ts'

interface FormProps {
  /** JSON; absent: the arguments are written as JSON. */
  readonly schema: string | undefined
  readonly isRunning: boolean
  readonly onCall: (args: object) => void
  readonly onCancel: () => void
}

export function SchemaForm({ schema, isRunning, onCall, onCancel }: FormProps) {
  const [fields] = useState(() => readFields(schema))
  const [isRaw, setRaw] = useState(fields === undefined)
  const [raw, setRawText] = useState('{}')
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(
    () => new Map(fields?.map(({ name, initial }) => [name, initial])),
  )
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const rawId = useId()

  const submit = (event: Event): void => {
    event.preventDefault()
    if (isRunning) return
    if (isRaw || fields === undefined) {
      const args = parseObject(raw)
      setProblems(new Map(args === undefined ? [['', 'The arguments have to be a JSON object.']] : []))
      if (args !== undefined) onCall(args)
      return
    }
    const reading = readForm(fields, typed)
    setProblems(reading.ok ? new Map() : reading.problems)
    if (reading.ok) onCall(reading.args)
  }
  const toggle = (): void => {
    if (!isRaw && fields !== undefined) {
      const reading = readForm(fields, typed)
      if (reading.ok) setRawText(JSON.stringify(reading.args, undefined, 2))
    }
    setProblems(new Map())
    setRaw(!isRaw)
  }
  const rawProblem = problems.get('')
  return (
    <form class="form" onSubmit={submit} noValidate>
      {isRaw || fields === undefined ? (
        <div class="field">
          <label for={rawId}>Arguments, as JSON</label>
          <textarea
            id={rawId}
            class="code"
            rows={8}
            spellcheck={false}
            value={raw}
            aria-invalid={rawProblem !== undefined}
            onInput={(event) => setRawText(event.currentTarget.value)}
          />
          {rawProblem === undefined ? null : (
            <p class="problem" role="alert">
              {rawProblem}
            </p>
          )}
        </div>
      ) : (
        <>
          {fields.length === 0 ? <p class="quiet">It takes no arguments.</p> : null}
          {fields.map((field) => (
            <FieldRow
              key={field.name}
              field={field}
              value={typed.get(field.name) ?? ''}
              problem={problems.get(field.name)}
              onChange={(value) => setTyped(new Map(typed).set(field.name, value))}
            />
          ))}
        </>
      )}
      <div class="buttons">
        <button type="submit" class="main" aria-disabled={isRunning}>
          Call
        </button>
        {isRunning ? (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        ) : null}
        {fields === undefined ? null : (
          <button type="button" class="plain" onClick={toggle}>
            {isRaw ? 'Use the form' : 'Write JSON instead'}
          </button>
        )}
      </div>
    </form>
  )
}

interface FieldProps {
  readonly field: SchemaField
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
}

function FieldRow({ field, value, problem, onChange }: FieldProps) {
  const id = useId()
  const { label, description, isRequired, kind } = field
  const about = [description === '' ? '' : `${id}-about`, problem === undefined ? '' : `${id}-problem`].join(' ').trim()
  const told = {
    id,
    value,
    'aria-describedby': about === '' ? undefined : about,
    'aria-invalid': problem !== undefined,
    'aria-required': isRequired,
  }
  const onInput = (event: { currentTarget: { value: string } }): void => onChange(event.currentTarget.value)
  return (
    <div class="field">
      <label for={id}>
        {label} {isRequired ? <span class="required">required</span> : null}{' '}
        <span class="kind">{KIND_NAMES[kind]}</span>
      </label>
      {kind === 'choice' || kind === 'flag' ? (
        <select {...told} onChange={onInput}>
          <option value="">{isRequired ? 'choose …' : 'left out'}</option>
          {optionsOf(field).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      ) : kind === 'text' || kind === 'number' ? (
        <input
          {...told}
          type="text"
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          autocomplete="off"
          spellcheck={false}
          onInput={onInput}
        />
      ) : (
        <textarea
          {...told}
          class={kind === 'json' ? 'code' : ''}
          rows={kind === 'json' ? 4 : 3}
          spellcheck={false}
          onInput={onInput}
        />
      )}
      {description === '' ? null : (
        <p id={`${id}-about`} class="about">
          {description}
        </p>
      )}
      {problem === undefined ? null : (
        <p id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

const KIND_NAMES: Readonly<Record<SchemaField['kind'], string>> = {
  text: 'text',
  longText: 'text',
  number: 'number',
  flag: 'yes or no',
  choice: 'one of',
  texts: 'texts, one a line',
  json: 'JSON',
}

function optionsOf({ kind, choices }: SchemaField): [string, string][] {
  if (kind === 'flag')
    return [
      ['true', 'yes'],
      ['false', 'no'],
    ]
  return choices.map((choice, at) => [
    String(at),
    shorten(typeof choice === 'string' ? choice : JSON.stringify(choice), 100),
  ])
}
