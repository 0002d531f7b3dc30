/**
 * The command line as data: which command, its options, its arguments. Nothing is run or looked up here. Every
 * mistake is a `UsageError` that names the nearest right word.
 */
import { parseArgs } from 'node:util'
import { nearestName } from '@switchboard/base'
import type { CommandInput, CommandSpec, OptionSpec } from './command-spec.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'
import { OptionValues } from './option-values.ts'
import { UsageError } from './usage-error.ts'

export type ParsedCommandLine =
  | { readonly kind: 'command'; readonly spec: CommandSpec; readonly input: CommandInput }
  /** Of a command, of a group (`server`), or of the program. */
  | { readonly kind: 'help'; readonly topic: string | undefined }
  | { readonly kind: 'version' }

export function parseCommandLine(argv: readonly string[], commands: readonly CommandSpec[]): ParsedCommandLine {
  const words = readLeadingWords(argv)
  const { spec, name } = findCommand(words, commands) ?? {}
  const known = [...GLOBAL_OPTIONS, ...(spec?.options ?? [])]
  const { values, positionals, rest, unknown } = readTokens(argv, known)
  const group = spec === undefined && isGroup(words[0], commands) ? words[0] : undefined
  if (values.flag('help')) return readHelp(spec, group, { values, positionals }, commands)
  if (values.flag('version')) return { kind: 'version' }
  // Who types nothing but the name of the program, or of a group, asks what there is.
  const isBare = words.length === (group === undefined ? 0 : 1) && unknown.length === 0 && rest.length === 0
  if (spec === undefined && isBare && !values.flag('json')) return { kind: 'help', topic: group }
  if (spec === undefined || name === undefined) throwOnNoCommand(words, unknown, commands)
  throwOnUnknownOption(unknown, known, spec, rest)
  throwOnBadValues(argv, known, spec)
  const own = positionals.slice(name.split(' ').length)
  throwOnBadArguments(own, rest, spec)
  return { kind: 'command', spec, input: { options: values, positionals: own, rest } }
}

/** `call <tool> --help` is about the tool; everything else about the command. */
function readHelp(
  spec: CommandSpec | undefined,
  group: string | undefined,
  { values, positionals }: Pick<ReadTokens, 'values' | 'positionals'>,
  commands: readonly CommandSpec[],
): ParsedCommandLine {
  const help = commands.find(({ name }) => name === 'help')
  const [, tool] = positionals
  if (spec?.name === 'call' && tool !== undefined && help !== undefined) {
    return { kind: 'command', spec: help, input: { options: values, positionals, rest: [] } }
  }
  return { kind: 'help', topic: spec?.name ?? group }
}

/** The first two words that are neither options nor the values of global ones. */
function readLeadingWords(argv: readonly string[]): string[] {
  return readTokens(argv, GLOBAL_OPTIONS).positionals.slice(0, 2)
}

/** `name`: the one it was called by. */
function findCommand(
  [first, second]: readonly string[],
  commands: readonly CommandSpec[],
): { spec: CommandSpec; name: string } | undefined {
  for (const called of [`${first} ${second}`, first ?? '']) {
    const spec = commands.find(({ name, aliases = [] }) => name === called || aliases.includes(called))
    if (spec !== undefined) return { spec, name: called }
  }
  return undefined
}

export function isGroup(word: string | undefined, commands: readonly CommandSpec[]): boolean {
  return word !== undefined && commands.some(({ name }) => name.startsWith(`${word} `))
}

interface ReadTokens {
  readonly values: OptionValues
  readonly positionals: readonly string[]
  readonly rest: readonly string[]
  /** As they were written. */
  readonly unknown: readonly string[]
}

function tokenize(argv: readonly string[], known: readonly OptionSpec[]) {
  const options = Object.fromEntries(known.map(toParseOption))
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

function readTokens(argv: readonly string[], known: readonly OptionSpec[]): ReadTokens {
  const values = new Map<string, boolean | string | string[]>()
  const positionals: string[] = []
  const unknown: string[] = []
  const tokens = tokenize(argv, known)
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? argv.length
  for (const token of tokens) {
    if (token.kind === 'positional' && token.index < end) positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = known.find(({ name }) => name === token.name)
    if (option === undefined) unknown.push(token.rawName)
    else if (option.type === 'flag') values.set(option.name, true)
    else if (option.type === 'text') values.set(option.name, token.value ?? '')
    else {
      const list = values.get(option.name)
      values.set(option.name, [...(Array.isArray(list) ? list : []), token.value ?? ''])
    }
  }
  return { values: new OptionValues(values), positionals, rest: argv.slice(end + 1), unknown }
}

function toParseOption({ name, short, type }: OptionSpec) {
  const option = { type: type === 'flag' ? ('boolean' as const) : ('string' as const), multiple: type === 'list' }
  return [name, short === undefined ? option : { ...option, short }] as const
}

function throwOnNoCommand(
  words: readonly string[],
  unknown: readonly string[],
  commands: readonly CommandSpec[],
): never {
  const [first, second] = words
  if (first === undefined) {
    const option = unknown[0]
    if (option !== undefined) throw new UsageError(`There is no option ${option}.${suggest(option, GLOBAL_OPTIONS)}`)
    throw new UsageError('A command is missing.', { hint: 'Run switchboard --help to see the commands.' })
  }
  if (isGroup(first, commands)) {
    const names = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
    if (second === undefined) {
      throw new UsageError(`"${first}" needs one of: ${names.join(', ')}.`, { command: first })
    }
    throw new UsageError(`There is no command "${first} ${second}".${ask(nearestName(second, names))}`, {
      hint: `It is one of: ${names.join(', ')}.`,
      command: first,
    })
  }
  const names = new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))
  throw new UsageError(`There is no command "${first}".${ask(nearestName(first, names))}`, {
    hint: 'Run switchboard --help to see the commands.',
  })
}

function throwOnUnknownOption(
  unknown: readonly string[],
  known: readonly OptionSpec[],
  spec: CommandSpec,
  rest: readonly string[],
): void {
  const [option] = unknown
  if (option === undefined) return
  const forgotten = spec.rest !== undefined && rest.length === 0
  throw new UsageError(`"${spec.name}" has no option ${option}.${suggest(option, known)}`, {
    command: spec.name,
    ...(forgotten ? { hint: `Options of the server's own command go behind a "--": ${spec.rest}` } : {}),
  })
}

function throwOnBadValues(argv: readonly string[], known: readonly OptionSpec[], spec: CommandSpec): void {
  for (const token of tokenize(argv, known)) {
    if (token.kind !== 'option') continue
    const option = known.find(({ name }) => name === token.name)
    if (option === undefined) continue
    const command = spec.name
    if (option.type === 'flag') {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`, { command })
      continue
    }
    const { choices, value = '<value>' } = option
    if (token.value === undefined || token.value === '') {
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${value}`, { command })
    }
    // `--since --json` is a forgotten value; one that begins with a dash is written --grep=-x.
    if (!token.inlineValue && token.value.length > 1 && token.value.startsWith('-')) {
      throw new UsageError(`${token.rawName} needs a value, and "${token.value}" looks like an option.`, {
        command,
        hint: `If it is meant as the value, write ${token.rawName}=${token.value}`,
      })
    }
    throwOnBadChoice(token.rawName, token.value, choices, command)
  }
}

function throwOnBadArguments(own: readonly string[], rest: readonly string[], spec: CommandSpec): void {
  const command = spec.name
  for (const [index, argument] of spec.arguments.entries()) {
    const value = own[index]
    if (value === undefined) {
      if (argument.required) throw new UsageError(`<${argument.name}> is missing: ${argument.summary}`, { command })
      continue
    }
    throwOnBadChoice(`<${argument.name}>`, value, argument.choices, command)
  }
  const extra = own[spec.arguments.length]
  if (extra !== undefined && spec.arguments.at(-1)?.repeats !== true) {
    const hint = spec.rest === undefined ? {} : { hint: `The server's command goes behind a "--": ${spec.rest}` }
    throw new UsageError(`"${spec.name}" does not know what to do with "${extra}".`, { command, ...hint })
  }
  if (rest.length > 0 && spec.rest === undefined) {
    throw new UsageError(`"${spec.name}" takes nothing behind a "--".`, { command })
  }
}

function throwOnBadChoice(what: string, value: string, choices: readonly string[] | undefined, command: string): void {
  if (choices === undefined || choices.includes(value)) return
  throw new UsageError(`${what} cannot be "${value}".${ask(nearestName(value, choices))}`, {
    command,
    hint: `It is one of: ${choices.join(', ')}.`,
  })
}

function suggest(option: string, known: readonly OptionSpec[]): string {
  const nearest = nearestName(
    option.replace(/^-+/, ''),
    known.map(({ name }) => name),
  )
  return nearest === undefined ? '' : ask(`--${nearest}`)
}

function ask(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}
