/** A state in one word, with a colour that repeats it. */
import { wordOfState } from '@switchboard/daemon/state-words'

const TONES: Readonly<Record<string, string>> = {
  ready: 'good',
  ok: 'good',
  idle: 'quiet',
  stopped: 'quiet',
  disabled: 'quiet',
  cancelled: 'quiet',
  debug: 'quiet',
  info: 'plain',
  starting: 'busy',
  probing: 'busy',
  auth_required: 'bad',
  restarting: 'busy',
  backoff: 'busy',
  warn: 'busy',
  tool_error: 'busy',
  error: 'bad',
  failed: 'bad',
  crashed: 'bad',
  misconfigured: 'bad',
  not_installed: 'bad',
}

export function Badge({ state, text = wordOfState(state) }: { readonly state: string; readonly text?: string }) {
  return <span class={`badge badge-${TONES[state] ?? 'plain'}`}>{text.replaceAll('_', ' ')}</span>
}
