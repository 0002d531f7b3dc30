import type { SessionCapabilities } from '../../src/engine/debug-session.ts'

export interface CapabilityRow {
  readonly language: string
  readonly debugger: string
  readonly capabilities: SessionCapabilities
}

/** As it stands in docs/debug.md. */
export function formatCapabilities(rows: readonly CapabilityRow[]): string {
  const head = [
    'language',
    'debugger',
    'conditions',
    'hit counts',
    'logpoints',
    'set variable',
    'exceptions',
    'children',
  ]
  const yes = (value: boolean): string => (value ? 'yes' : '**no**')
  const lines = rows.map(({ language, debugger: name, capabilities: can }) => [
    language,
    name,
    yes(can.conditions),
    yes(can.hitConditions),
    yes(can.logpoints),
    yes(can.setVariable),
    can.exceptions.length === 3 ? 'none, uncaught, all' : `${can.exceptions.join(', ')} **only**`,
    yes(can.children),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
