/** How a state is shown: a symbol that is read without colour, a word, a colour. */
import type { BackendServer } from '../backend/backend.ts'
import type { Style } from '../terminal/style.ts'

type State = BackendServer['state']

const LOOKS: Readonly<
  Record<State, readonly [symbol: string, word: string, color: 'green' | 'cyan' | 'yellow' | 'red' | 'dim']>
> = {
  ready: ['●', 'ready', 'green'],
  probing: ['◐', 'probing', 'yellow'],
  starting: ['◌', 'starting', 'cyan'],
  backoff: ['↻', 'retrying', 'yellow'],
  failed: ['✗', 'failed', 'red'],
  not_installed: ['✗', 'not installed', 'red'],
  auth_required: ['✗', 'needs login', 'red'],
  idle: ['○', 'idle', 'dim'],
  stopping: ['◌', 'stopping', 'dim'],
  stopped: ['■', 'stopped', 'dim'],
  disabled: ['–', 'disabled', 'dim'],
}

export function formatState(state: State, style: Style): string {
  const [symbol, word, color] = LOOKS[state]
  return style[color](`${symbol} ${word}`)
}

export function describeStateInWords(state: State): string {
  return LOOKS[state][1]
}

/** `3 servers: 2 ready, 1 retrying` */
export function summarizeStates(servers: readonly BackendServer[]): string {
  const counts = new Map<string, number>()
  for (const { state } of servers) counts.set(LOOKS[state][1], (counts.get(LOOKS[state][1]) ?? 0) + 1)
  const parts = [...counts].map(([word, count]) => `${count} ${word}`)
  return `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}: ${parts.join(', ')}`
}
