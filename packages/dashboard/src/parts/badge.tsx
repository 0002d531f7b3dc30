/** A state in one word, with a colour that repeats it. */

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

/** Where the name of a state says less than it should; as `switchboard status` has it. */
const WORDS: Readonly<Record<string, string>> = { backoff: 'retrying', auth_required: 'needs login' }

export function wordOf(state: string): string {
  return WORDS[state] ?? state.replaceAll('_', ' ')
}

export function Badge({ state, text = wordOf(state) }: { readonly state: string; readonly text?: string }) {
  return <span class={`badge badge-${TONES[state] ?? 'plain'}`}>{text.replaceAll('_', ' ')}</span>
}
