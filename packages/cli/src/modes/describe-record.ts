import type { ModeRecord } from '@switchboard/daemon'

export function toModeJson({ instance, mode, at, setBy }: ModeRecord) {
  return { instance, mode, [mode === null ? 'clearedAt' : 'setAt']: at, setBy }
}
