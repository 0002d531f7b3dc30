/** The help of the program, of a group and of a command, all from the table. */
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command-line/command-spec.ts'
import { COMMANDS } from '../command-line/commands.ts'
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts'
import { EXIT_CODES } from '../program/exit-code.ts'
import { VERSION } from '../program/program-version.ts'
import type { Style } from '../terminal/style.ts'
import { padText, textWidth, wrapText } from '../terminal/text-width.ts'

export const MAX_WIDTH = 100
export const INDENT = '  '

export interface HelpTarget {
  readonly style: Style
  readonly width: number
}

/** `switchboard call <tool> [json] [options]` */
export function formatUsage(name?: string): string {
  const spec = COMMANDS.find((candidate) => candidate.name === name)
  if (spec !== undefined) return `switchboard ${spec.name}${formatArguments(spec)}`
  const isGroup = name !== undefined && COMMANDS.some((candidate) => candidate.name.startsWith(`${name} `))
  return isGroup ? `switchboard ${name} <command> …` : 'switchboard <command> [options]'
}

function formatArguments({ arguments: args, options, rest }: CommandSpec): string {
  const words = args.map(nameArgument)
  if (options.length > 0) words.push('[options]')
  if (rest !== undefined) words.push(`[${rest}]`)
  return words.map((word) => ` ${word}`).join('')
}

export function formatHelp(topic: string | undefined, { style, width }: HelpTarget): string {
  const room = Math.min(width, MAX_WIDTH)
  const spec = COMMANDS.find(({ name }) => name === topic)
  const lines =
    spec !== undefined
      ? formatCommandHelp(spec, style, room)
      : topic !== undefined
        ? formatGroupHelp(topic, style, room)
        : formatProgramHelp(style, room)
  return `${lines.join('\n')}\n`
}

function formatProgramHelp(style: Style, width: number): string[] {
  return [
    `${style.bold('switchboard')} ${VERSION}: runs, shares, supervises and observes the MCP servers of your coding agents.`,
    '',
    `${style.bold('Usage:')} ${formatUsage()}`,
    '',
    style.bold('Commands'),
    ...formatPairs(
      COMMANDS.map(({ name, summary }) => [name, summary]),
      style,
      width,
    ),
    '',
    style.bold('Options of every command'),
    ...formatPairs(GLOBAL_OPTIONS.map(toPair), style, width),
    '',
    style.bold('Exit codes'),
    ...formatPairs(
      EXIT_CODES.map(({ code, meaning }) => [String(code), meaning]),
      style,
      width,
    ),
    '',
    'switchboard <command> --help says more about a command.',
  ]
}

function formatGroupHelp(group: string, style: Style, width: number): string[] {
  const own = COMMANDS.filter(({ name }) => name.startsWith(`${group} `))
  return [
    `${style.bold('Usage:')} ${formatUsage(group)}`,
    '',
    style.bold('Commands'),
    ...formatPairs(
      own.map(({ name, summary }) => [name, summary]),
      style,
      width,
    ),
  ]
}

function formatCommandHelp(spec: CommandSpec, style: Style, width: number): string[] {
  const codes = EXIT_CODES.filter(({ code }) => code === 0 || code === 2 || spec.exitCodes.includes(code))
  const sections: [string, string[]][] = [
    ['Arguments', formatPairs(spec.arguments.map(toArgumentPair), style, width)],
    ['Options', formatPairs(spec.options.map(toPair), style, width)],
    [
      'Examples',
      spec.examples.flatMap(({ command, what }) => [`${INDENT}${style.dim(`# ${what}`)}`, `${INDENT}${command}`]),
    ],
    [
      'Exit codes',
      formatPairs(
        codes.map(({ code, meaning }) => [String(code), meaning]),
        style,
        width,
      ),
    ],
  ]
  return [
    ...wrapText(spec.summary, width),
    '',
    `${style.bold('Usage:')} ${formatUsage(spec.name)}`,
    ...(spec.description ?? []).flatMap((paragraph) => ['', ...wrapText(paragraph, width)]),
    ...(spec.aliases === undefined ? [] : ['', `Also: ${spec.aliases.join(', ')}`]),
    ...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', style.bold(title), ...lines])),
    '',
    ...wrapText(
      '--json, --config, --home, --no-color and --verbose work with every command: switchboard --help',
      width,
    ).map(style.dim),
  ]
}

function toArgumentPair(argument: ArgumentSpec): [string, string] {
  return [nameArgument(argument), argument.summary]
}

export function nameArgument({ name, required, repeats }: ArgumentSpec): string {
  const word = repeats === true ? `${name}…` : name
  return required ? `<${word}>` : `[${word}]`
}

export function toPair(option: OptionSpec): [string, string] {
  const { name, short, value, summary, choices } = option
  const values = choices === undefined ? '' : ` One of: ${choices.join(', ')}.`
  return [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    `${summary}${values}`,
  ]
}

/** Two columns; the second is wrapped. */
export function formatPairs(pairs: readonly (readonly [string, string])[], style: Style, width: number): string[] {
  const first = Math.max(0, ...pairs.map(([left]) => textWidth(left)))
  const room = Math.max(24, width - first - 2 * INDENT.length)
  return pairs.flatMap(([left, right]) =>
    wrapText(right, room).map((line, index) =>
      `${INDENT}${padText(index === 0 ? style.cyan(left) : '', first)}${INDENT}${line}`.trimEnd(),
    ),
  )
}
