import { useState } from 'preact/hooks'
import { ask } from '../link/session.ts'
import { toFailure } from '../link/use-answer.ts'

const TOLD_MS = 4_000

/** Others are not to run, or nobody knows how. */
export function isRestartable({ state }: { readonly state: string }): boolean {
  return state !== 'disabled' && state !== 'misconfigured'
}

export function RestartButton({ server }: { readonly server: string }) {
  const [told, setTold] = useState('')
  const restart = async (): Promise<void> => {
    if (told !== '') return
    setTold('…')
    try {
      await ask('restart_server', { server })
      setTold('restarting')
    } catch (error) {
      setTold(toFailure(error).message)
    }
    setTimeout(() => setTold(''), TOLD_MS)
  }
  return (
    <>
      <button
        type="button"
        class="small"
        onClick={() => void restart()}
        aria-disabled={told !== ''}
        aria-label={`Restart ${server}`}
      >
        Restart
      </button>
      <output class="told">{told}</output>
    </>
  )
}
