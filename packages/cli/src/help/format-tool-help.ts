/** The help of a tool, of a pack's or of a server's: what it takes, what it may fail with, how it is called. */
import type { ToolHelp } from '@switchboard/daemon/tool-help'
import { toSafeText } from '../terminal/safe-text.ts'
import { wrapText } from '../terminal/text-width.ts'
import { formatPairs, type HelpTarget, INDENT, MAX_WIDTH } from './format-help.ts'

export interface ToolOrigin {
  readonly kind: 'pack' | 'server'
  readonly name: string
}

export function formatToolHelp(given: ToolHelp, origin: ToolOrigin, { style, width }: HelpTarget): string {
  const help = makeSafe(given)
  const room = Math.min(width, MAX_WIDTH)
  const { name, parameters, errors, examples, needs, next, aliases } = help
  const sections: [string, string[]][] = [
    [
      'Parameters',
      formatPairs(
        parameters.map(({ name: parameter, required, text }) => [`${parameter}${required ? '*' : ''}`, text]),
        style,
        room,
      ),
    ],
    [
      'Needs',
      formatPairs(
        needs.map(({ what, code, hint }) => [what, `else ${code}: ${hint}`]),
        style,
        room,
      ),
    ],
    [
      'Errors',
      formatPairs(
        errors.map(({ code, retryable, hint }) => [code, `${hint}${retryable ? ' May go away by itself.' : ''}`]),
        style,
        room,
      ),
    ],
    [
      'Examples',
      examples.flatMap(({ what, params }) => [
        `${INDENT}${style.dim(`# ${what}`)}`,
        `${INDENT}switchboard call ${name} '${JSON.stringify(params).replaceAll("'", "'\\''")}'`,
      ]),
    ],
    ['Next', formatList(next, room)],
    ['Also called', formatList(aliases, room)],
  ]
  return [
    ...wrapText(help.summary === '' ? name : help.summary, room),
    '',
    `${style.bold('Usage:')} switchboard call ${name}${formatArguments(parameters)}`,
    ...help.more.flatMap((paragraph) => ['', ...wrapText(paragraph, room)]),
    ...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', style.bold(title), ...lines])),
    '',
    ...wrapText(describeOrigin(help, origin), room).map(style.dim),
    '',
  ].join('\n')
}

function describeOrigin({ name, parameters, safety, timeoutMs }: ToolHelp, origin: ToolOrigin): string {
  const facts = [
    origin.kind === 'pack' ? `Of the pack ${origin.name}, which runs in the daemon` : `Of ${origin.name}`,
    ...(safety === '' ? [] : [safety]),
    ...(timeoutMs === undefined ? [] : [`at most ${timeoutMs / 1_000} s`]),
  ]
  const star = parameters.some(({ required }) => required) ? ' A parameter with a star is required.' : ''
  return `${facts.join('; ')}.${star} The whole definition: switchboard tools --schema ${name}`
}

function formatList(items: readonly string[], width: number): string[] {
  if (items.length === 0) return []
  return wrapText(items.join(', '), width - INDENT.length).map((line) => `${INDENT}${line}`)
}

/** A server may write anything into its list. */
function makeSafe(help: ToolHelp): ToolHelp {
  return {
    ...help,
    summary: toSafeText(help.summary),
    more: help.more.map(toSafeText),
    parameters: help.parameters.map(({ name, text, required }) => ({
      name: toSafeText(name),
      text: toSafeText(text),
      required,
    })),
  }
}

/** With what must be given; where nothing must, that something may. */
function formatArguments(parameters: ToolHelp['parameters']): string {
  if (parameters.length === 0) return ''
  // What must be there within an object or a list need not, where that is left out.
  const needed = parameters.filter(({ name, required }) => required && !/[.[]/.test(name))
  return needed.length === 0 ? " ['{…}']" : ` '{${needed.map(({ name }) => `"${name}": …`).join(', ')}}'`
}
