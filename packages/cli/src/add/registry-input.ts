/** Arguments, variables and headers of a `server.json`: each is an input with a value, a default, or to be given. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export interface RegistryInput {
  /** Of a positional argument: its hint. */
  readonly name: string
  readonly type?: 'named' | 'positional'
  readonly value?: string | undefined
  readonly fallback?: string | undefined
  readonly description?: string | undefined
  readonly isRequired?: boolean
  /** A named argument without a value of its own. */
  readonly isFlag?: boolean
  /** What `{name}` in the value stands for. */
  readonly variables?: JsonObject
}

export function readInputs(list: unknown): RegistryInput[] {
  if (!Array.isArray(list)) return []
  return list.filter(isJsonObject).map((source): RegistryInput => {
    const { type, name, valueHint, value, default: fallback, description, isRequired, format, variables } = source
    const text = (candidate: unknown): string | undefined =>
      ['string', 'number', 'boolean'].includes(typeof candidate) ? String(candidate) : undefined
    return {
      type: type === 'named' ? 'named' : 'positional',
      name: text(name) ?? text(valueHint) ?? 'argument',
      value: text(value),
      fallback: text(fallback),
      description: text(description),
      isRequired: isRequired === true,
      // Without anything that could be its value it is a switch.
      isFlag:
        type === 'named' &&
        [value, fallback, valueHint, format].every((part) => part === undefined) &&
        isRequired === true,
      variables: isJsonObject(variables) ? variables : {},
    }
  })
}

/** Undefined: nobody gave it, and nobody has to; or it is noted as missing. */
export function fillInput(
  input: RegistryInput,
  given: ReadonlyMap<string, string>,
  missing: Set<string>,
): string | undefined {
  const { name, value, fallback, isRequired, isFlag, variables = {} } = input
  const own = given.get(name) ?? given.get(name.replace(/^-+/, ''))
  if (own !== undefined) return own
  const written = value ?? fallback
  if (written !== undefined) return fillVariables(toLiteral(written), variables, given, missing)
  if (isRequired === true && isFlag !== true) missing.add(name.replace(/^-+/, ''))
  return undefined
}

function fillVariables(
  text: string,
  variables: JsonObject,
  given: ReadonlyMap<string, string>,
  missing: Set<string>,
): string {
  return text.replace(/\{(\w+)\}/g, (written, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    const own = given.get(name)
    if (own !== undefined) return own
    if (!isJsonObject(variable)) return written
    const known = variable.value ?? variable.default
    if (known !== undefined && !isJsonObject(known)) return toLiteral(String(known))
    missing.add(name)
    return written
  })
}

/** `$${` is a literal `${`: what a foreign file says is no variable of ours. */
function toLiteral(text: string): string {
  return text.replaceAll('${', () => '$${')
}
