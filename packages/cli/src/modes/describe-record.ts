import type { ModeRecord } from '@switchboard/daemon'

export function toModeJson({ instance, mode, at, setBy }: ModeRecord) {
  return { instance, mode, [mode === null ? 'cleared_at' : 'set_at']: at, set_by: setBy }
}
