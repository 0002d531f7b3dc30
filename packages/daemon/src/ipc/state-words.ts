/** The state of a server in the words of a person: one set for the command, the page and the editor. */
import type { ServerState } from '@switchboard/pool'

const WORDS: Readonly<Record<ServerState, string>> = {
  ready: 'ready',
  probing: 'probing',
  starting: 'starting',
  backoff: 'retrying',
  failed: 'failed',
  not_installed: 'not installed',
  auth_required: 'needs login',
  misconfigured: 'misconfigured',
  idle: 'idle',
  stopping: 'stopping',
  stopped: 'stopped',
  disabled: 'disabled',
}

/** A newer daemon may have other states: those go by their own name. */
export function wordOfState(state: string): string {
  return Object.hasOwn(WORDS, state) ? WORDS[state as ServerState] : state.replaceAll('_', ' ')
}
