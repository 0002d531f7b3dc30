/** How a state is shown: a symbol that is read without colour, a word, a colour. */
import { wordOfState } from '@switchboard/daemon/state-words'
import type { BackendServer } from '../backend/backend.ts'
import type { Style } from '../terminal/style.ts'

type State = BackendServer['state']

const LOOKS: Readonly<Record<State, readonly [symbol: string, color: 'green' | 'cyan' | 'yellow' | 'red' | 'dim']>> = {
  ready: ['●', 'green'],
  probing: ['◐', 'yellow'],
  starting: ['◌', 'cyan'],
  backoff: ['↻', 'yellow'],
  failed: ['✗', 'red'],
  not_installed: ['✗', 'red'],
  auth_required: ['✗', 'red'],
  misconfigured: ['✗', 'red'],
  idle: ['○', 'dim'],
  stopping: ['◌', 'dim'],
  stopped: ['■', 'dim'],
  disabled: ['–', 'dim'],
}

/** What wants a look first; what is not mentioned rests, and comes last. */
const URGENCY: readonly State[] = [
  'misconfigured',
  'failed',
  'not_installed',
  'auth_required',
  'backoff',
  'probing',
  'starting',
  'ready',
]

/** Those that are not up first, then those that run, each kind as it is configured. */
export function sortByUrgency(servers: readonly BackendServer[]): BackendServer[] {
  const rank = ({ state, attempt }: BackendServer): number => {
    // One that is tried again stays where it was while it waited for that.
    const at = URGENCY.indexOf(state === 'starting' && attempt > 0 ? 'backoff' : state)
    return at < 0 ? URGENCY.length : at
  }
  return [...servers].sort((a, b) => rank(a) - rank(b))
}

export function formatState(state: State, style: Style): string {
  const [symbol, color] = LOOKS[state]
  return style[color](`${symbol} ${wordOfState(state)}`)
}

/** `3 servers: 2 ready, 1 retrying` */
export function summarizeStates(servers: readonly BackendServer[]): string {
  const counts = new Map<string, number>()
  for (const { state } of servers) {
    const word = wordOfState(state)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`)
  return `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}: ${parts.join(', ')}`
}
